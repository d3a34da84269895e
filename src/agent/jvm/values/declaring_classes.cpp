#include "agent/jvm/values/declaring_classes.h"

#include <algorithm>
#include <span>
#include <utility>
#include <vector>

#include "agent/jvm/jvm_names.h"
#include "agent/jvm/local_frame.h"

namespace copse::jvm {
namespace {

// The direct superinterfaces, as local references.
std::vector<jclass> interfaces_of(jvmtiEnv* jvmti, jclass type) {
  jint count = 0;
  jclass* found = nullptr;
  if (jvmti->GetImplementedInterfaces(type, &count, &found) != JVMTI_ERROR_NONE) return {};
  std::vector<jclass> interfaces(found, found + count);
  jvmti->Deallocate(reinterpret_cast<unsigned char*>(found));
  return interfaces;
}

classfile::MethodSummary method_outline(jvmtiEnv* jvmti, jmethodID method) {
  classfile::MethodSummary outline;
  char* name = nullptr;
  char* descriptor = nullptr;
  if (jvmti->GetMethodName(method, &name, &descriptor, nullptr) != JVMTI_ERROR_NONE) return outline;
  outline.name = name;
  outline.descriptor = descriptor;
  jvmti->Deallocate(reinterpret_cast<unsigned char*>(name));
  jvmti->Deallocate(reinterpret_cast<unsigned char*>(descriptor));
  jint access = 0;
  jvmti->GetMethodModifiers(method, &access);
  outline.access = static_cast<std::uint16_t>(access);
  return outline;
}

}  // namespace

classfile::ClassSummary DeclaringClasses::outline(JNIEnv* jni, jclass type) const {
  classfile::ClassSummary outline;
  const LocalFrame frame(jni);
  outline.name = internal_name(jvmti_, type);
  if (const jclass above = jni->GetSuperclass(type); above != nullptr) {
    outline.super_name = internal_name(jvmti_, above);
  }
  for (const jclass interface : interfaces_of(jvmti_, type)) {
    outline.interfaces.push_back(internal_name(jvmti_, interface));
  }
  jint count = 0;
  jmethodID* methods = nullptr;
  if (jvmti_->GetClassMethods(type, &count, &methods) != JVMTI_ERROR_NONE) return outline;
  for (const jmethodID method : std::span(methods, static_cast<std::size_t>(count))) {
    outline.methods.push_back(method_outline(jvmti_, method));
  }
  jvmti_->Deallocate(reinterpret_cast<unsigned char*>(methods));
  return outline;
}

// Recursion is as deep as the hierarchy.
void DeclaringClasses::add_all(JNIEnv* jni, jclass type, ptql::ClassOutlines& outlines) const {
  outlines.add(outline(jni, type));
  if (const jclass above = jni->GetSuperclass(type); above != nullptr) {
    add_all(jni, above, outlines);
    jni->DeleteLocalRef(above);
  }
  for (const jclass interface : interfaces_of(jvmti_, type)) {
    add_all(jni, interface, outlines);
    jni->DeleteLocalRef(interface);
  }
}

std::string DeclaringClasses::of(JNIEnv* jni, jclass type, const std::string& method,
                                 const std::string& descriptor) const {
  ptql::ClassOutlines outlines;
  add_all(jni, type, outlines);
  const std::string name = internal_name(jvmti_, type);
  for (std::size_t i = 0; i < outlines.size(); ++i) {
    if (outlines[i].name != name) continue;
    for (const classfile::MethodSummary& candidate : outlines[i].methods) {
      if (candidate.name != method || candidate.descriptor != descriptor) continue;
      bool certain = false;
      return outlines.facts(outlines[i], candidate, certain).declaring_class;
    }
  }
  return dotted(name);
}

}  // namespace copse::jvm
