// Keeps calls of the running thread from being counted during its lifetime, for code of the program that runs on
// behalf of the agent. Frames that were live before are still counted.
#pragma once

#include <jvmti.h>

#include "shadowstack/thread_header.h"

namespace copse::jvm {

class RuntimeClass;

class Unrecorded {
 public:
  Unrecorded(const RuntimeClass& runtime, jvmtiEnv* jvmti, JNIEnv* jni);
  ~Unrecorded();
  Unrecorded(const Unrecorded&) = delete;
  Unrecorded& operator=(const Unrecorded&) = delete;

  // Returns whether calls of the running thread are not counted at the moment.
  static bool holds() noexcept;

 private:
  const RuntimeClass& runtime_;
  JNIEnv* const jni_;
  jthread thread_ = nullptr;
  shadowstack::ThreadHeader* header_ = nullptr;
  jlong word_ = 0;
  const bool was_unrecorded_;
};

}  // namespace copse::jvm
