// Frames of methods that got another body while they ran. The JVM then gives the old body a new jmethodID; the
// frame was entered with the jmethodID that now means the new body.
#pragma once

#include <jvmti.h>

namespace copse::jvm {

// Returns whether a frame of the method `now` may have been entered as the method `then`: both are the same, or
// `now` is an old body of `then`. Threads: any. Cost: a comparison if both are the same.
bool may_be_same_frame(jvmtiEnv* jvmti, JNIEnv* jni, jmethodID now, jmethodID then);

}  // namespace copse::jvm
