// Virtual threads, where the JVM has them: puts the probes of thread_switch_probes.h into
// java.lang.VirtualThread, so that what is kept for a virtual thread is given back when it parks
// and when it ends. JVMTI's events of virtual threads would tell of the end alone, and only as long
// as the thread can still make calls.
//
// The class is rewritten when it is loaded, or, if it came from the class archive before the agent
// could see it, when the first virtual thread makes a recorded call: programs without them pay
// nothing.
#pragma once

#include <jvmti.h>

#include <atomic>
#include <cstdint>
#include <span>
#include <vector>

#include "agent/jvm/hook/method_table.h"

namespace copse::jvm {

class VirtualThreads {
 public:
  // `from_the_start`: the class may be rewritten before a virtual thread is met, because
  // java.lang.CopseThread will be there (--jdk).
  VirtualThreads(jvmtiEnv* jvmti, MethodTable& methods, bool from_the_start)
      : jvmti_(jvmti),
        methods_(methods),
        from_the_start_(from_the_start),
        wanted_(from_the_start) {}

  // Whether the class being loaded, or retransformed, is java.lang.VirtualThread.
  static bool is_their_class(jobject loader, const char* internal_name) noexcept;
  // The class's new bytes, empty to leave it as it is, for now or for good. Throws std::bad_alloc.
  std::vector<std::uint8_t> rewrite(std::span<const std::uint8_t> bytes);

  // VMInit or later, before a recording starts.
  void start(JNIEnv* jni);
  bool is_one(JNIEnv* jni, jobject thread) const {
    return class_ != nullptr && jni->IsInstanceOf(thread, class_);
  }
  // A thread is about to make its first recorded call. Called by: that thread.
  void thread_attached(JNIEnv* jni, jobject thread);

 private:
  void watch(JNIEnv* jni);

  jvmtiEnv* const jvmti_;
  MethodTable& methods_;
  const bool from_the_start_;
  jclass class_ = nullptr;  // global reference; null where there are no virtual threads
  std::atomic<bool> wanted_;
  std::atomic<bool> watched_{false};
  std::atomic<bool> watching_{false};  // by some thread, just now
};

}  // namespace copse::jvm
