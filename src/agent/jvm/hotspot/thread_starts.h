// Starts of threads, told by the thread that starts another one, before the other runs. Platform threads: the function
// in the place of Thread.start0() (thread_stacks.h). Virtual threads: a probe in VirtualThread.start()
// (virtual_threads.h).
//
// Not told: the first thread, and threads that native code makes and attaches.
// Threads: any.
#pragma once

#include <jni.h>

namespace copse::jvm {

class ThreadStartSink {
 public:
  virtual ~ThreadStartSink() = default;
  // Called by: the running thread, which starts `thread`. The start may still fail.
  virtual void starts(JNIEnv* jni, jobject thread) noexcept = 0;
};

// Has starts told from now on. `sink` is never destroyed.
void tell_thread_starts_to(ThreadStartSink& sink) noexcept;
// Tells the sink, if there is one, unless the running thread is not recorded at the moment.
void thread_starts(JNIEnv* jni, jobject thread) noexcept;

}  // namespace copse::jvm
