// Rows of JNI's table for registering native methods of a class, and the headers that natives are passed.
#pragma once

#include <jni.h>

#include "shadowstack/thread_header.h"

namespace copse::jvm {

// Returns a row. JNI declares the texts without const, but does not change them.
template <typename Result, typename... Parameters>
JNINativeMethod native(const char* name, const char* descriptor,
                       Result(JNICALL* function)(JNIEnv*, jclass, Parameters...)) {
  return {const_cast<char*>(name), const_cast<char*>(descriptor),
          reinterpret_cast<void*>(function)};
}

// Returns the header at an address; nullptr for 0.
inline shadowstack::ThreadHeader* header_at(jlong address) {
  return reinterpret_cast<shadowstack::ThreadHeader*>(address);
}

}  // namespace copse::jvm
