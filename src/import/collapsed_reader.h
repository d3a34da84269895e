// Collapsed stacks: a line for each, `frame;frame;frame COUNT`, outermost frame first.
#pragma once

#include <string_view>

#include "base/status.h"
#include "import/sample_bytes.h"
#include "import/sampled_stacks.h"

namespace copse::join {

// Whether a file that begins so is text; what is wrong with its lines is for the reader to say.
bool begins_as_collapsed(std::string_view beginning);

// Everything up to the end; "NAME: line N: why". Counts are samples. Memory: the stacks, and a line.
Status read_collapsed(SampleBytes& bytes, SampledStacks& stacks);

}  // namespace copse::join
