#include "agent/jvm/own_threads.h"

#include <algorithm>
#include <new>

#include "agent/jvm/runtime/unrecorded.h"

namespace copse::jvm {
namespace {

// Returns a global reference; nullptr, and no pending exception, if the object cannot be made.
jobject make_thread(JNIEnv* jni, const char* name) {
  const jclass type = jni->FindClass("java/lang/Thread");
  const jmethodID make =
      type == nullptr ? nullptr : jni->GetMethodID(type, "<init>", "(Ljava/lang/String;)V");
  const jstring text = make == nullptr ? nullptr : jni->NewStringUTF(name);
  const jobject thread = text == nullptr ? nullptr : jni->NewObject(type, make, text);
  if (jni->ExceptionCheck()) jni->ExceptionClear();
  return thread == nullptr ? nullptr : jni->NewGlobalRef(thread);
}

}  // namespace

bool OwnThreads::start(const RuntimeClass& runtime, jvmtiEnv* jvmti, JNIEnv* jni, const char* name,
                       jvmtiStartFunction main, void* data) {
  const Unrecorded unrecorded(runtime, jvmti, jni);
  const jobject thread = make_thread(jni, name);
  if (thread == nullptr) return false;
  try {
    const std::lock_guard lock(mutex_);
    threads_.push_back(thread);
  } catch (const std::bad_alloc&) {
    jni->DeleteGlobalRef(thread);
    return false;
  }
  // Before this thread knows that it runs, the other tells of its start.
  if (jvmti->RunAgentThread(thread, main, data, JVMTI_THREAD_NORM_PRIORITY) == JVMTI_ERROR_NONE) {
    return true;
  }
  forget(jni, thread);
  return false;
}

bool OwnThreads::has(JNIEnv* jni, jthread thread) const {
  const std::lock_guard lock(mutex_);
  return std::any_of(threads_.begin(), threads_.end(),
                     [&](jobject own) { return jni->IsSameObject(own, thread) == JNI_TRUE; });
}

void OwnThreads::forget(JNIEnv* jni, jthread thread) {
  const std::lock_guard lock(mutex_);
  const auto found = std::find_if(threads_.begin(), threads_.end(), [&](jobject own) {
    return jni->IsSameObject(own, thread) == JNI_TRUE;
  });
  if (found == threads_.end()) return;
  const jobject own = *found;
  threads_.erase(found);
  jni->DeleteGlobalRef(own);
}

}  // namespace copse::jvm
