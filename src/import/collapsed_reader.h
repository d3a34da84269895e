// Reads collapsed stacks: one line per stack, `frame;frame;frame COUNT`, outermost frame first.
#pragma once

#include <string_view>

#include "base/status.h"
#include "import/sample_bytes.h"
#include "import/sampled_stacks.h"

namespace copse::join {

// Returns true if a file with that beginning is text. The reader reports errors in its lines.
bool begins_as_collapsed(std::string_view beginning);

// Reads to the end. The error is "NAME: line N: why". Counts are samples. Memory: the stacks, and
// one line.
Status read_collapsed(SampleBytes& bytes, SampledStacks& stacks);

}  // namespace copse::join
