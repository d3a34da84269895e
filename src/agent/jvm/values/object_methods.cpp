#include "agent/jvm/values/object_methods.h"

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "agent/jvm/jvm_names.h"

namespace copse::jvm {
namespace {

struct DeclaredHere {
  bool equals = false;
  bool hash_code = false;
};

DeclaredHere declared_in(jvmtiEnv* jvmti, jclass type) {
  DeclaredHere declared;
  jint count = 0;
  jmethodID* methods = nullptr;
  if (jvmti->GetClassMethods(type, &count, &methods) != JVMTI_ERROR_NONE) return declared;
  for (const jmethodID method : std::span(methods, static_cast<std::size_t>(count))) {
    char* name = nullptr;
    char* descriptor = nullptr;
    if (jvmti->GetMethodName(method, &name, &descriptor, nullptr) != JVMTI_ERROR_NONE) continue;
    const std::string_view named(name);
    const std::string_view described(descriptor);
    declared.equals |= named == "equals" && described == "(Ljava/lang/Object;)Z";
    declared.hash_code |= named == "hashCode" && described == "()I";
    jvmti->Deallocate(reinterpret_cast<unsigned char*>(name));
    jvmti->Deallocate(reinterpret_cast<unsigned char*>(descriptor));
  }
  jvmti->Deallocate(reinterpret_cast<unsigned char*>(methods));
  return declared;
}

}  // namespace

ptql::ObjectMethods object_methods(jvmtiEnv* jvmti, JNIEnv* jni, jclass type) {
  ptql::ObjectMethods methods;
  auto at = static_cast<jclass>(jni->NewLocalRef(type));
  while (at != nullptr && (methods.equals_class.empty() || methods.hash_code_class.empty())) {
    const DeclaredHere declared = declared_in(jvmti, at);
    if (declared.equals || declared.hash_code) {
      const std::string name = dotted(internal_name(jvmti, at));
      if (declared.equals && methods.equals_class.empty()) methods.equals_class = name;
      if (declared.hash_code && methods.hash_code_class.empty()) methods.hash_code_class = name;
    }
    const jclass above = jni->GetSuperclass(at);
    jni->DeleteLocalRef(std::exchange(at, above));
  }
  if (at != nullptr) jni->DeleteLocalRef(at);
  return methods;
}

}  // namespace copse::jvm
