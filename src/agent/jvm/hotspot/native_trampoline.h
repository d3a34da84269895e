// Trampolines: machine code that the JVM calls in the place of a native method's function. A trampoline
// runs a probe, calls the function with the arguments unchanged, runs a second probe, and returns the
// function's result.
//
// Each trampoline is two instructions in a page of them; a table behind the page holds the data of each.
// All of them jump to one routine in assembly, which saves the argument registers and copies the arguments
// that lie on the stack. Debuggers see an ordinary function with a frame pointer.
//
// Thread-safe. Trampolines are never freed, because threads may stay in a native method until the end.
#pragma once

#include <jni.h>

#include <cstdint>
#include <string_view>

namespace copse::jvm {

struct NativeTrampoline {
  void* function;             // of the native method
  std::uint64_t stack_words;  // stack_words_of() its descriptor
  // Read by `enter` and `leave`:
  jint method;
  bool is_marked;
  jlong place;
};

// A call in progress; lies in the trampoline's stack frame.
struct TrampolinedCall {
  const NativeTrampoline* trampoline;
  // Written by `enter`, read by `leave`:
  jlong entered;
  jlong before;
};

// The probes. They run on the calling thread, in the state in which the JVM calls native code.
struct TrampolineCalls {
  // Returns the function to call. nullptr returns to the JVM at once: an exception is pending.
  void* (*enter)(JNIEnv* jni, TrampolinedCall* call);
  // An exception may be pending, and must stay pending.
  void (*leave)(JNIEnv* jni, TrampolinedCall* call);
};

// Returns false on machines other than x86-64 and 64-bit ARM.
bool has_native_trampolines() noexcept;

// Returns the number of 8-byte words that the calling convention passes on the stack when native code is
// called for a method with this descriptor.
std::uint64_t stack_words_of(std::string_view descriptor) noexcept;

// Returns the address of new code that calls `trampoline.function`; nullptr when the system grants no
// executable memory. `trampoline` must never be freed. All calls must pass the same `calls`.
void* make_native_trampoline(const NativeTrampoline& trampoline,
                             const TrampolineCalls& calls) noexcept;

}  // namespace copse::jvm
