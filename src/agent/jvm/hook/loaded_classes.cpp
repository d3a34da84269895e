#include "agent/jvm/hook/loaded_classes.h"

#include <algorithm>
#include <span>

#include "agent/jvm/jvm_names.h"
#include "agent/jvm/local_frame.h"

namespace copse::jvm {
namespace {

// One of these stops the program once: for a moment if they are few, seldom if they are many.
constexpr std::size_t kBatch = 128;

std::string why(jvmtiEnv* jvmti, jvmtiError error) {
  char* name = nullptr;
  if (jvmti->GetErrorName(error, &name) != JVMTI_ERROR_NONE || name == nullptr) {
    return "error " + std::to_string(error);
  }
  const std::string text(name);
  jvmti->Deallocate(reinterpret_cast<unsigned char*>(name));
  return text;
}

}  // namespace

bool can_change(jvmtiEnv* jvmti, jclass type) {
  jboolean modifiable = JNI_FALSE;
  jint status = 0;
  return jvmti->IsModifiableClass(type, &modifiable) == JVMTI_ERROR_NONE &&
         modifiable == JNI_TRUE && jvmti->GetClassStatus(type, &status) == JVMTI_ERROR_NONE &&
         (status & JVMTI_CLASS_STATUS_ERROR) == 0;
}

std::vector<jclass> loaded_classes_that(
    jvmtiEnv* jvmti, JNIEnv* jni, const std::function<bool(jobject, std::string_view)>& wanted) {
  jint count = 0;
  jclass* loaded = nullptr;
  std::vector<jclass> chosen;
  if (jvmti->GetLoadedClasses(&count, &loaded) != JVMTI_ERROR_NONE) return chosen;
  for (jclass type : std::span<jclass>(loaded, static_cast<std::size_t>(count))) {
    jobject loader = nullptr;
    const bool choose = can_change(jvmti, type) &&
                        jvmti->GetClassLoader(type, &loader) == JVMTI_ERROR_NONE &&
                        wanted(loader, internal_name(jvmti, type));
    if (loader != nullptr) jni->DeleteLocalRef(loader);
    if (choose) {
      chosen.push_back(type);
    } else {
      jni->DeleteLocalRef(type);
    }
  }
  jvmti->Deallocate(reinterpret_cast<unsigned char*>(loaded));
  return chosen;
}

RetransformOutcome retransform_classes(
    jvmtiEnv* jvmti, std::span<const jclass> classes,
    const std::function<void(std::string_view, std::string_view)>& refused) {
  RetransformOutcome outcome;
  while (!classes.empty()) {
    const std::span<const jclass> batch = classes.first(std::min(kBatch, classes.size()));
    classes = classes.subspan(batch.size());
    if (jvmti->RetransformClasses(static_cast<jint>(batch.size()), batch.data()) ==
        JVMTI_ERROR_NONE) {
      outcome.classes += batch.size();
      continue;
    }
    // All or none of a batch: one by one, the others need not suffer.
    for (const jclass type : batch) {
      const jvmtiError error = jvmti->RetransformClasses(1, &type);
      if (error == JVMTI_ERROR_NONE) {
        ++outcome.classes;
      } else {
        ++outcome.refused;
        refused(internal_name(jvmti, type), why(jvmti, error));
      }
    }
  }
  return outcome;
}

RetransformOutcome retransform_loaded_classes(
    jvmtiEnv* jvmti, JNIEnv* jni, const std::function<bool(jobject, std::string_view)>& wanted,
    const std::function<void(std::string_view, std::string_view)>& refused) {
  const LocalFrame frame(jni);
  return retransform_classes(jvmti, loaded_classes_that(jvmti, jni, wanted), refused);
}

}  // namespace copse::jvm
