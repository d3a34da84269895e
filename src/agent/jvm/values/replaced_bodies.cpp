#include "agent/jvm/values/replaced_bodies.h"

#include <string>

namespace copse::jvm {
namespace {

// Name and descriptor; "" when the JVM cannot say.
std::string name_and_descriptor(jvmtiEnv* jvmti, jmethodID method) {
  char* name = nullptr;
  char* descriptor = nullptr;
  if (jvmti->GetMethodName(method, &name, &descriptor, nullptr) != JVMTI_ERROR_NONE) return "";
  const std::string both = std::string(name) + descriptor;
  jvmti->Deallocate(reinterpret_cast<unsigned char*>(name));
  jvmti->Deallocate(reinterpret_cast<unsigned char*>(descriptor));
  return both;
}

bool have_one_class(jvmtiEnv* jvmti, JNIEnv* jni, jmethodID one, jmethodID other) {
  jclass types[2] = {nullptr, nullptr};
  const bool known = jvmti->GetMethodDeclaringClass(one, &types[0]) == JVMTI_ERROR_NONE &&
                     jvmti->GetMethodDeclaringClass(other, &types[1]) == JVMTI_ERROR_NONE;
  const bool same = known && jni->IsSameObject(types[0], types[1]) == JNI_TRUE;
  for (const jclass type : types) {
    if (type != nullptr) jni->DeleteLocalRef(type);
  }
  return same;
}

}  // namespace

bool may_be_same_frame(jvmtiEnv* jvmti, JNIEnv* jni, jmethodID now, jmethodID then) {
  if (now == then) return true;
  jboolean is_old = JNI_FALSE;
  if (jvmti->IsMethodObsolete(now, &is_old) != JVMTI_ERROR_NONE || is_old == JNI_FALSE) {
    return false;
  }
  const std::string of_now = name_and_descriptor(jvmti, now);
  return !of_now.empty() && of_now == name_and_descriptor(jvmti, then) &&
         have_one_class(jvmti, jni, now, then);
}

}  // namespace copse::jvm
