// Natives of copse.CopseNative that CopseThrows calls.
#pragma once

#include <jni.h>

#include <vector>

namespace copse::jvm {

class ProbedThrows;

// Sets the counter of exceptions from now on; nullptr ends counting.
void count_throws_with(ProbedThrows* throws) noexcept;

std::vector<JNINativeMethod> throw_natives();

}  // namespace copse::jvm
