// Puts the probes of thread_switch_probes.h into java.lang.VirtualThread, in JVMs that have it. The probes give
// back what is kept for a virtual thread when it parks and when it ends. JVMTI's events of virtual threads
// would report the end only, and only as long as the thread can still make calls.
//
// The class is rewritten when it is loaded. A class from the class archive, loaded before the agent could see
// it, is rewritten when the first virtual thread makes a recorded call, or where starts are told, when the recording
// starts. Otherwise programs without virtual threads pay nothing. Where moves are told, it is rewritten at once, too.
#pragma once

#include <jvmti.h>

#include <atomic>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "agent/jvm/hook/method_table.h"
#include "probes/thread_switch_probes.h"

namespace copse::jvm {

class VirtualThreads {
 public:
  // `from_the_start`: the class may be rewritten before a virtual thread is met, because java.lang.CopseThread
  // will be there (--jdk).
  VirtualThreads(jvmtiEnv* jvmti, MethodTable& methods, bool from_the_start)
      : jvmti_(jvmti),
        methods_(methods),
        from_the_start_(from_the_start),
        wanted_(from_the_start) {}

  // Returns whether the class being loaded, or retransformed, is java.lang.VirtualThread.
  static bool is_their_class(jobject loader, const char* internal_name) noexcept;
  // Returns the class's new bytes; empty leaves it as it is, for now or for good. Throws std::bad_alloc.
  std::vector<std::uint8_t> rewrite(std::span<const std::uint8_t> bytes);

  // Has starts of virtual threads told (thread_starts.h). Called before the class is loaded.
  void tell_starts() noexcept { tells_.starts = true; }
  // Has moves told to a class (own_stack.h). `alone`: nothing else is, since threads have no headers. Called before the
  // class is loaded, or watch_now() afterwards.
  void tell_moves(std::string_view java_class, bool alone) noexcept;
  bool tells_moves() const noexcept { return !tells_.moves_to.empty(); }
  // Called in VMInit or later, before a recording starts.
  void start(JNIEnv* jni);
  bool is_one(JNIEnv* jni, jobject thread) const {
    return class_ != nullptr && jni->IsInstanceOf(thread, class_);
  }
  // Has the class rewritten now, if there is one, so that no thread starts (after tell_starts()) or ends unseen.
  // REQUIRES: java.lang.CopseThread is there, and class hook events are on.
  void watch_now(JNIEnv* jni) {
    if (class_ != nullptr && !watched_.load()) watch(jni);
  }
  // Called by a thread that is about to make its first recorded call.
  void thread_attached(JNIEnv* jni, jobject thread);

 private:
  void watch(JNIEnv* jni);

  jvmtiEnv* const jvmti_;
  MethodTable& methods_;
  const bool from_the_start_;
  jclass class_ = nullptr;  // global reference; nullptr without virtual threads
  classfile::ThreadSwitchProbes::Tells tells_;
  std::atomic<bool> wanted_;
  std::atomic<bool> watched_{false};
  std::atomic<bool> watching_{false};  // some thread is in watch()
};

}  // namespace copse::jvm
