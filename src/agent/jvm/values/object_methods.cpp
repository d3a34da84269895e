#include "agent/jvm/values/object_methods.h"

#include <algorithm>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "agent/jvm/jvm_names.h"

namespace copse::jvm {
namespace {

constexpr jint kAccStaticBit = 0x0008;
constexpr jint kAccBridgeBit = 0x0040;
constexpr jint kAccAbstractBit = 0x0400;
constexpr std::string_view kOfObject = "(Ljava/lang/Object;)I";

// The methods equals(), hashCode() and compareTo() that one class declares.
struct DeclaredHere {
  std::string class_name;
  bool equals = false;
  bool hash_code = false;
  bool compares_objects = false;  // compareTo(Object)
  bool is_bridge = false;         // which the compiler made, and which calls another compareTo
  std::vector<std::string> compare_to{};  // descriptors, without bridges
  bool has(std::string_view descriptor) const {
    return std::ranges::find(compare_to, descriptor) != compare_to.end();
  }
};

// Returns true for a descriptor with one object parameter and an int result.
bool is_of_compare_to(std::string_view descriptor) {
  return descriptor.ends_with(";)I") && descriptor.find(';') == descriptor.size() - 3;
}

void add_method(jvmtiEnv* jvmti, jmethodID method, DeclaredHere& declared) {
  char* name = nullptr;
  char* descriptor = nullptr;
  jint access = 0;
  if (jvmti->GetMethodName(method, &name, &descriptor, nullptr) != JVMTI_ERROR_NONE) return;
  const std::string_view named(name);
  const std::string described(descriptor);
  jvmti->GetMethodModifiers(method, &access);
  declared.equals |= named == "equals" && described == "(Ljava/lang/Object;)Z";
  declared.hash_code |= named == "hashCode" && described == "()I";
  const bool is_code = (access & (kAccStaticBit | kAccAbstractBit)) == 0;
  if (named == "compareTo" && is_code && is_of_compare_to(described)) {
    const bool is_bridge = (access & kAccBridgeBit) != 0;
    if (!is_bridge) declared.compare_to.push_back(described);
    if (described == kOfObject) {
      declared.compares_objects = true;
      declared.is_bridge = is_bridge;
    }
  }
  jvmti->Deallocate(reinterpret_cast<unsigned char*>(name));
  jvmti->Deallocate(reinterpret_cast<unsigned char*>(descriptor));
}

DeclaredHere declared_in(jvmtiEnv* jvmti, jclass type) {
  DeclaredHere declared{.class_name = dotted(internal_name(jvmti, type))};
  jint count = 0;
  jmethodID* methods = nullptr;
  if (jvmti->GetClassMethods(type, &count, &methods) != JVMTI_ERROR_NONE) return declared;
  for (const jmethodID method : std::span(methods, static_cast<std::size_t>(count))) {
    add_method(jvmti, method, declared);
  }
  jvmti->Deallocate(reinterpret_cast<unsigned char*>(methods));
  return declared;
}

// Returns the methods of the class and of its superclasses, the class first.
std::vector<DeclaredHere> declared_by_classes(jvmtiEnv* jvmti, JNIEnv* jni, jclass type) {
  std::vector<DeclaredHere> all;
  for (auto at = static_cast<jclass>(jni->NewLocalRef(type)); at != nullptr;) {
    all.push_back(declared_in(jvmti, at));
    const jclass above = jni->GetSuperclass(at);
    jni->DeleteLocalRef(std::exchange(at, above));
  }
  return all;
}

// Returns the nearest interface that has a compareTo() with code; "" if none has.
std::string comparing_interface(jvmtiEnv* jvmti, JNIEnv* jni, jclass type) {
  std::vector<jclass> to_see{static_cast<jclass>(jni->NewLocalRef(type))};
  std::string found;
  for (std::size_t i = 0; i < to_see.size() && found.empty(); ++i) {
    const DeclaredHere declared = declared_in(jvmti, to_see[i]);
    if (!declared.compare_to.empty()) found = declared.class_name;
    jint count = 0;
    jclass* interfaces = nullptr;
    if (jvmti->GetImplementedInterfaces(to_see[i], &count, &interfaces) == JVMTI_ERROR_NONE) {
      to_see.insert(to_see.end(), interfaces, interfaces + count);
      jvmti->Deallocate(reinterpret_cast<unsigned char*>(interfaces));
    }
    if (const jclass above = jni->GetSuperclass(to_see[i]); above != nullptr) {
      to_see.push_back(above);
    }
  }
  for (const jclass seen : to_see) jni->DeleteLocalRef(seen);
  return found;
}

// Returns the descriptor of the compareTo() that a bridge calls. It is declared beside the bridge, or above it where
// the bridge is there for an interface. Among several the one that takes objects of the class counts.
std::string target_of_bridge(std::span<const DeclaredHere> from_bridge) {
  for (const DeclaredHere& declared : from_bridge) {
    if (declared.compare_to.empty()) continue;
    std::string own = "(L" + declared.class_name + ";)I";
    std::ranges::replace(own, '.', '/');
    return declared.has(own) ? own : declared.compare_to.front();
  }
  return "";
}

std::string class_of_compare_to(const std::vector<DeclaredHere>& classes) {
  const auto comparing = std::ranges::find_if(classes, &DeclaredHere::compares_objects);
  const bool is_bridge = comparing != classes.end() && comparing->is_bridge;
  if (comparing != classes.end() && !is_bridge) return comparing->class_name;
  const std::string target = is_bridge ? target_of_bridge(std::span(classes).subspan(
                                             static_cast<std::size_t>(comparing - classes.begin())))
                                       : "";
  const auto found = std::ranges::find_if(classes, [&](const DeclaredHere& declared) {
    return target.empty() ? !declared.compare_to.empty() : declared.has(target);
  });
  return found == classes.end() ? "" : found->class_name;
}

}  // namespace

ptql::ObjectMethods object_methods(jvmtiEnv* jvmti, JNIEnv* jni, jclass type) {
  ptql::ObjectMethods methods;
  const std::vector<DeclaredHere> classes = declared_by_classes(jvmti, jni, type);
  const auto equals = std::ranges::find_if(classes, &DeclaredHere::equals);
  const auto hash_code = std::ranges::find_if(classes, &DeclaredHere::hash_code);
  if (equals != classes.end()) methods.equals_class = equals->class_name;
  if (hash_code != classes.end()) methods.hash_code_class = hash_code->class_name;
  methods.compare_to_class = class_of_compare_to(classes);
  if (methods.compare_to_class.empty()) {
    methods.compare_to_class = comparing_interface(jvmti, jni, type);
  }
  return methods;
}

}  // namespace copse::jvm
