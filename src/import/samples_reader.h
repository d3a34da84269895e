// Reads samples of another profiler. The content decides the format, not the file's name.
#pragma once

#include "base/status.h"
#include "import/jfr_json_reader.h"
#include "import/sample_bytes.h"
#include "import/sampled_stacks.h"

namespace copse::join {

// Returns true for a binary flight recording, which must be converted by the JDK's tool: see
// jfr_json_reader.h.
bool is_flight_recording(const SampleBytes& bytes);

// Reads collapsed stacks, `jfr print --json` output, or a pprof profile, each also in gzip, and
// texts with a UTF-8 mark. The error is "NAME: why".
Result<SampledStacks> read_samples(SampleBytes& bytes, const JfrReading& jfr,
                                   FrameReading reading = FrameReading::kToCompare);

}  // namespace copse::join
