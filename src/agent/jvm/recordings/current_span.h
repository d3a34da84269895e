// The span of a trace in which the running thread is, by OpenTelemetry's API: what its Span.current() says. The class is
// asked once the program has loaded and initialized it, and is never loaded for that.
#pragma once

#include <jvmti.h>

#include <cstdint>
#include <optional>
#include <span>

#include "cct/inplace/slices.h"

namespace copse::jvm {

class RuntimeClass;

// Starts to look for the class. `was_running`: it may have been loaded before. Both outlive the JVM.
void start_asking_for_spans(jvmtiEnv* jvmti, const RuntimeClass& runtime, bool was_running);
// Called when a class of the program is being loaded.
void look_for_spans_in(std::span<const std::uint8_t> class_file) noexcept;
// Returns the running thread's span; std::nullopt if there is none. What the program's code throws is dropped, and its
// calls are not recorded. Called by: the thread, in the program's code, without a lock. Cost without the class: a load.
std::optional<cct::SpanIds> current_span(JNIEnv* jni) noexcept;

}  // namespace copse::jvm
