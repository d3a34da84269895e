// A row of what is registered for native methods of a class.
#pragma once

#include <jni.h>

namespace copse::jvm {

// JNI's table wants what it does not change without const.
inline JNINativeMethod native(const char* name, const char* descriptor, void* function) {
  return {const_cast<char*>(name), const_cast<char*>(descriptor), function};
}

}  // namespace copse::jvm
