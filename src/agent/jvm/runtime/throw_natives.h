// The natives of copse.CopseNative that CopseThrows calls.
#pragma once

#include <jni.h>

#include <vector>

namespace copse::jvm {

class ProbedThrows;

// Who counts the exceptions from now on; null: nobody.
void count_throws_with(ProbedThrows* throws) noexcept;

std::vector<JNINativeMethod> throw_natives();

}  // namespace copse::jvm
