// Natives of copse.CopseNative that begin and end slices (src/cct/inplace/inline_slices.h): at frames of methods, and
// where programs call copse.Context.
#pragma once

#include <jni.h>

#include <vector>

namespace copse::jvm {

class MethodTable;

// Sets the table in which names of slices get methods that stand for them. Called before any of the natives can be.
void name_slices_in(MethodTable& methods) noexcept;

std::vector<JNINativeMethod> slice_natives();

}  // namespace copse::jvm
