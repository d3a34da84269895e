// Reads a pprof profile: the protocol buffer of github.com/google/pprof/proto/profile.proto.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/status.h"
#include "import/sample_bytes.h"
#include "import/sampled_stacks.h"

namespace copse::join {

// Largest profile in bytes, the limit of other readers too. Names follow the samples, so the whole
// file is in memory.
inline constexpr std::uint64_t kLargestProfile = std::uint64_t{1} << 31;

// Returns true if the beginning is a field of a profile.
bool begins_as_pprof(std::string_view beginning);

// Reads the values in their units. Shows the profile's default value, otherwise the last. Ignores
// labels, except the threads of a report that Copse wrote. The error is "NAME: why".
Status read_pprof(SampleBytes& bytes, SampledStacks& stacks);

}  // namespace copse::join
