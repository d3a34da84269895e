// Finds the function that a native method is bound to. JVMTI reports a binding when it happens and has no
// query for it. HotSpot stores the function directly behind its Method structure, whose size HotSpot's
// tables for debuggers give.
#pragma once

#include <jni.h>

#include <cstdint>
#include <optional>

namespace copse::jvm {

class BoundFunctions {
 public:
  // Checks the layout on methods of `natives` (copse.CopseNative), whose functions are known. If the JVM has
  // another layout, of() knows nothing.
  BoundFunctions(JavaVM* vm, JNIEnv* jni, jclass natives) noexcept;

  // Returns nullptr if the method is not bound, std::nullopt if the layout is unknown. REQUIRES: the method
  // is native, and its class is loaded.
  std::optional<void*> of(jmethodID method) const noexcept;

 private:
  std::uint64_t record_bytes_ = 0;  // size of Method; 0 if the layout is unknown
  void* unbound_ = nullptr;         // what HotSpot stores for a method that is not bound
};

}  // namespace copse::jvm
