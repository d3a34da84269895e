#include "agent/jvm/hook/loaded_classes.h"

#include <algorithm>
#include <span>

#include "agent/jvm/jvm_names.h"
#include "agent/jvm/local_frame.h"

namespace copse::jvm {
namespace {

// One of these stops the program once: for a moment if they are few, seldom if they are many.
constexpr std::size_t kBatch = 128;

bool can_change(jvmtiEnv* jvmti, jclass type) {
  jboolean modifiable = JNI_FALSE;  // false for arrays, primitive types and hidden classes
  jint status = 0;
  return jvmti->IsModifiableClass(type, &modifiable) == JVMTI_ERROR_NONE &&
         modifiable == JNI_TRUE && jvmti->GetClassStatus(type, &status) == JVMTI_ERROR_NONE &&
         (status & JVMTI_CLASS_STATUS_ERROR) == 0;
}

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

RetransformOutcome retransform_loaded_classes(
    jvmtiEnv* jvmti, JNIEnv* jni, const std::function<bool(jobject, std::string_view)>& wanted,
    const std::function<void(std::string_view, std::string_view)>& refused) {
  RetransformOutcome outcome;
  const LocalFrame frame(jni);
  const std::vector<jclass> chosen = loaded_classes_that(jvmti, jni, wanted);
  for (std::size_t begin = 0; begin < chosen.size(); begin += kBatch) {
    const std::size_t count = std::min(kBatch, chosen.size() - begin);
    const std::span<const jclass> batch(chosen.data() + begin, count);
    if (jvmti->RetransformClasses(static_cast<jint>(count), batch.data()) == JVMTI_ERROR_NONE) {
      outcome.classes += count;
    } else {
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
    for (const jclass type : batch) jni->DeleteLocalRef(type);
  }
  return outcome;
}

void SeenClasses::begin() { is_open_.store(true, std::memory_order_relaxed); }

void SeenClasses::end() {
  const std::lock_guard lock(mutex_);
  is_open_.store(false, std::memory_order_relaxed);
  classes_.clear();
}

bool SeenClasses::add(std::uint64_t loader, std::string_view name) {
  if (!is_open_.load(std::memory_order_relaxed)) return true;
  const std::lock_guard lock(mutex_);
  return classes_.emplace(loader, name).second;
}

}  // namespace copse::jvm
