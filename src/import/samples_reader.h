// Reads samples of another profiler. The content decides the format, not the file's name.
#pragma once

#include <cstdint>
#include <string_view>

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

// Reads collapsed stacks: one line per stack, `frame;frame;frame COUNT`, outermost frame first.

// Returns true if a file with that beginning is text. The reader reports errors in its lines.
bool begins_as_collapsed(std::string_view beginning);

// Reads to the end. The error is "NAME: line N: why". Counts are samples. Memory: the stacks, and
// one line.
Status read_collapsed(SampleBytes& bytes, SampledStacks& stacks);

// Reads a pprof profile: the protocol buffer of github.com/google/pprof/proto/profile.proto.

// Largest profile in bytes, the limit of other readers too. Names follow the samples, so the whole
// file is in memory.
inline constexpr std::uint64_t kLargestProfile = std::uint64_t{1} << 31;

// Returns true if the beginning is a field of a profile.
bool begins_as_pprof(std::string_view beginning);

// Reads the values in their units. Shows the profile's default value, otherwise the last. Ignores
// labels, except the threads of a report that Copse wrote. The error is "NAME: why".
Status read_pprof(SampleBytes& bytes, SampledStacks& stacks);

}  // namespace copse::join
