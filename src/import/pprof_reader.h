// A profile of pprof: the protocol buffer of github.com/google/pprof/proto/profile.proto.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/status.h"
#include "import/sample_bytes.h"
#include "import/sampled_stacks.h"

namespace copse::join {

// Names stand behind the samples in such a file, so all of it is in memory: at most so much, which is what
// other readers take.
inline constexpr std::uint64_t kLargestProfile = std::uint64_t{1} << 31;

// Whether a file may begin so: with a field that profiles have.
bool begins_as_pprof(std::string_view beginning);

// Its values, in their units; the last is shown, or the one that the profile says. Labels are left out,
// but for the threads of a report that Copse wrote. "NAME: why".
Status read_pprof(SampleBytes& bytes, SampledStacks& stacks);

}  // namespace copse::join
