// Probes that tell values (runtime/value): threads have no headers.
#pragma once

#include "agent/jvm/runtime/runtime_class.h"
#include "base/status.h"

namespace copse::jvm {

class ValueEvents;

extern const ProbeKind kValueProbes;

// Starts the probes, or goes on with them after another recording. `events`: the receiver of events from now on.
Status start_value_probes(RuntimeClass& runtime, JNIEnv* jni, ValueEvents& events);

}  // namespace copse::jvm
