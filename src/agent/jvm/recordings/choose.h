// Choice of the way of recording, by the options.
#pragma once

#include <memory>

#include "agent/jvm/recordings/recording.h"
#include "agent/jvm/run.h"
#include "agent/jvm/runtime/runtime_class.h"
#include "agent/options.h"
#include "base/status.h"

namespace copse::jvm {

const ProbeKind& probes_for(const agent::AgentOptions& options);

// Called before any class has probes. `run` must outlive the recording. Throws std::bad_alloc.
Result<std::unique_ptr<Recording>> make_recording(const Run& run);

}  // namespace copse::jvm
