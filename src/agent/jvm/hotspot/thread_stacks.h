// More stack for the threads that a program starts (agent/stack_scale.h).
//
// Thread.start0() is bound to a function of ours. For the time of the call it multiplies the size
// that the thread was made with, or gives it a multiple of the JVM's default; then the thread says
// of itself what it said before, unless it has begun to keep something else there. A thread that cannot be had with more is started as it is.
//
// Not reached: the main thread, which the launcher makes (`copse run` gives it more), threads that
// native code makes and attaches, and all of a JVM that runs already.
#pragma once

#include <jvmti.h>

#include <cstdint>

namespace copse::jvm {

class ThreadStacks {
 public:
  // In Agent_OnLoad. `given_bytes`: what threads get by -Xss because `copse run` said so, and what
  // needs no scaling again; 0: nothing was given. `field_is_lent`: the running thread has another
  // use for the field of its size (runtime_class.h), so that it is left as it is. False: this JVM is not
  // one we know.
  static bool scale_in(JavaVM* vm, std::uint64_t given_bytes, bool field_is_lent);

  // From the event NativeMethodBind, in any phase: takes the place of Thread.start0.
  static void bound(void* function, void** replacement) noexcept;
};

}  // namespace copse::jvm
