// The running thread's header and context word, for native code that is called often. They are looked up
// once and remembered in a thread_local variable, because each question to the JVM costs some 20 ns.
//
// Virtual threads, their carriers and threads without a header are not remembered: a carrier is now one
// thread and now another.
//
// Thread-safe: each thread has its own.
#pragma once

#include <jvmti.h>

#include <cstdint>

#include "agent/jvm/jvm_state.h"
#include "shadowstack/thread_header.h"

namespace copse::jvm {

class OwnWord {
 public:
  // Invalidates everything remembered, because threads get new headers. REQUIRES: the runtime has started.
  static void start(const JvmState& jvm) noexcept;
  // Returns nullptr if the running thread is not remembered.
  static const OwnWord* remembered(JNIEnv* jni) noexcept;
  // Asks the JVM. The caller must release() the result. An exception may be pending.
  static OwnWord asked(JNIEnv* jni) noexcept;
  void release(JNIEnv* jni) const noexcept {
    if (owner_ != nullptr) jni->DeleteLocalRef(owner_);
  }
  // Forgets the running thread, which ends.
  static void forget(JNIEnv* jni) noexcept;

  // nullptr if the thread is not recorded. Then it has no word.
  shadowstack::ThreadHeader* header() const noexcept { return header_; }
  std::uint64_t word(JNIEnv* jni) const noexcept;
  void set_word(JNIEnv* jni, std::uint64_t word) const noexcept;

 private:
  void remember(JNIEnv* jni);

  std::uint64_t recording_ = 0;  // number of the recording it is valid for
  shadowstack::ThreadHeader* header_ = nullptr;
  jobject owner_ = nullptr;  // object with the word's field; nullptr if the word is in the header
};

}  // namespace copse::jvm
