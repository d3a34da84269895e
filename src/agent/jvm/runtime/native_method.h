// Rows of JNI's table for registering native methods of a class, and the headers that natives are passed.
#pragma once

#include <jni.h>

#include <type_traits>

#include "shadowstack/thread_header.h"

namespace copse::jvm {

// Ends recording because of the exception that is being handled. Called by: GuardedNative. (agent_main.cpp)
void native_failed() noexcept;

// A native method that lets no exception into the JVM. It returns 0 instead, and probes then record nothing.
template <auto kFunction>
struct GuardedNative;
template <typename Result, typename... Parameters,
          Result(JNICALL* kFunction)(JNIEnv*, jclass, Parameters...)>
struct GuardedNative<kFunction> {
  static Result JNICALL call(JNIEnv* jni, jclass type, Parameters... parameters) noexcept {
    try {
      return kFunction(jni, type, parameters...);
    } catch (...) {
      native_failed();
    }
    if constexpr (!std::is_void_v<Result>) return Result{};
  }
};

// Returns a row. JNI declares the texts without const, but does not change them.
template <auto kFunction>
JNINativeMethod native(const char* name, const char* descriptor) {
  return {const_cast<char*>(name), const_cast<char*>(descriptor),
          reinterpret_cast<void*>(GuardedNative<kFunction>::call)};
}

// Returns the header at an address; nullptr for 0.
inline shadowstack::ThreadHeader* header_at(jlong address) {
  return reinterpret_cast<shadowstack::ThreadHeader*>(address);
}

}  // namespace copse::jvm
