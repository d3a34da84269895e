// The agent's Java threads. No call, sample or look of theirs is in a recording: JvmAgent gives them no header.
#pragma once

#include <jvmti.h>

#include <mutex>
#include <vector>

#include "agent/jvm/runtime/runtime_class.h"

namespace copse::jvm {

class OwnThreads {
 public:
  // Starts a daemon thread with that name, which runs `main` with `data`. Returns false if the JVM refuses. No recorded
  // call is made for it. Thread-safe.
  bool start(const RuntimeClass& runtime, jvmtiEnv* jvmti, JNIEnv* jni, const char* name,
             jvmtiStartFunction main, void* data);

  // Returns whether start() started this thread. Thread-safe.
  bool has(JNIEnv* jni, jthread thread) const;
  // Called when a thread ends. Thread-safe.
  void forget(JNIEnv* jni, jthread thread);

 private:
  mutable std::mutex mutex_;
  std::vector<jobject> threads_;  // global references; guarded by mutex_
};

}  // namespace copse::jvm
