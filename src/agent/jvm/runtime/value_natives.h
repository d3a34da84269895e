// Natives of copse.CopseNative that CopseValues calls.
#pragma once

#include <jni.h>

#include <vector>

namespace copse::jvm {

class ValueEvents;

// Sets the receiver of events. Called before any of the natives can be, and again for a later recording.
void take_values_with(ValueEvents& events) noexcept;

std::vector<JNINativeMethod> value_natives();

}  // namespace copse::jvm
