// Frames of methods that got another body while they ran. The JVM gives the old body a jmethodID of
// its own then; the one that its frame was entered with is the new body's.
#pragma once

#include <jvmti.h>

namespace copse::jvm {

// Whether a frame of the method `now` may have been entered as the method `then`: they are the same,
// or `now` is an old body of it.
// Threads: any. Cost: a comparison where they are the same.
bool may_be_same_frame(jvmtiEnv* jvmti, JNIEnv* jni, jmethodID now, jmethodID then);

}  // namespace copse::jvm
