// The natives of copse.CopseNative that CopseExcerpt calls for unit tests (src/cct/inplace/excerpt.h).
//
// An excerpt crosses as bytes, numbers with the highest byte first:
//
//   1   1: recursion in it is merged; 2: there was no memory for all of it
//   8   calls that are in no context, at most
//   4   number of rows
//   of each row, callers first:
//     4   the caller's row, from 1; 0: none
//     4   method
//     2   call site of the caller's, 0: none
//     8   calls
#pragma once

#include <jni.h>

#include <array>

namespace copse::jvm {

class MethodTable;

// Whose names are asked for; before any of the natives can be called.
void answer_excerpts_with(const MethodTable& methods) noexcept;

std::array<JNINativeMethod, 5> excerpt_natives() noexcept;

}  // namespace copse::jvm
