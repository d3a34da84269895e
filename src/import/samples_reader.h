// Samples of another profiler, of whatever kind: told by what the file holds, not by its name.
#pragma once

#include "base/status.h"
#include "import/jfr_json_reader.h"
#include "import/sample_bytes.h"
#include "import/sampled_stacks.h"

namespace copse::join {

// A flight recording as it is written has to go through the JDK's own tool: see jfr_json_reader.h.
bool is_flight_recording(const SampleBytes& bytes);

// Reads collapsed stacks, `jfr print --json`, or a profile of pprof; each of them also in gzip, and text
// with the mark of UTF-8. An error: "NAME: why".
Result<SampledStacks> read_samples(SampleBytes& bytes, const JfrReading& jfr,
                                   FrameReading reading = FrameReading::kToCompare);

}  // namespace copse::join
