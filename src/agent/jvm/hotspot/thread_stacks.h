// Larger stacks for the threads that a program starts (agent/stack_scale.h), and word of each start (thread_starts.h).
//
// Thread.start0() is bound to a function of the agent. During the call this function multiplies the stack size
// that the thread was made with, or sets a multiple of the JVM's default. Afterwards it restores the size,
// unless the thread has begun to keep something else in the field. A thread that the system refuses with a
// larger stack is started with its own size.
//
// Not covered: the main thread, which the launcher makes (`copse run` gives it more), threads that native code
// makes and attaches, and all threads of a JVM that Copse is attached to.
#pragma once

#include <jvmti.h>

#include <cstdint>

namespace copse::jvm {

class ThreadStacks {
 public:
  // Binds Thread.start0(), in Agent_OnLoad, which only tells of starts until scale_in() was called. Returns false if
  // this JVM is unknown.
  static bool bind_in(JavaVM* vm);
  // Enlarges stacks. `given_bytes`: stack size that threads get by -Xss because `copse run` said so, which is not
  // scaled again; 0 means none. `field_is_lent`: a running thread keeps something else in the field of its size
  // (thread_fields.h), so the size is not restored. REQUIRES: bind_in() returned true.
  static void scale_in(JavaVM* vm, std::uint64_t given_bytes, bool field_is_lent);

  // Handles the event NativeMethodBind, in any phase: replaces Thread.start0.
  static void bound(void* function, void** replacement) noexcept;
};

}  // namespace copse::jvm
