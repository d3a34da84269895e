// Natives of copse.CopseNative that CopseExcerpt calls for unit tests (src/cct/inplace/excerpt.h).
//
// An excerpt is passed as bytes, numbers with the highest byte first:
//
//   1   1: recursion in it is merged; 2: there was no memory for all of it
//   8   calls that are in no context, at most
//   4   number of rows
//   4   the first so many of them are the thread's own
//   for each row, callers first:
//     4   the caller's row, from 1; 0 means none
//     4   method
//     2   call site in the caller; 0 means none
//     8   calls
#pragma once

#include <jni.h>

#include <vector>

namespace copse::jvm {

class MethodTable;

// Sets the table that names are taken from. Called before any of the natives can be.
void answer_excerpts_with(const MethodTable& methods) noexcept;

std::vector<JNINativeMethod> excerpt_natives();

}  // namespace copse::jvm
