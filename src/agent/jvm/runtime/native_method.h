// A row of JNI's table for registering native methods of a class.
#pragma once

#include <jni.h>

namespace copse::jvm {

// Returns a row. JNI declares the texts without const, but does not change them.
inline JNINativeMethod native(const char* name, const char* descriptor, void* function) {
  return {const_cast<char*>(name), const_cast<char*>(descriptor), function};
}

}  // namespace copse::jvm
