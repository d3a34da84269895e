// Text output of validate and compare.
#pragma once

#include <string>
#include <vector>

#include "encoders/study/comparison.h"

namespace copse::study {

// Returns the stream, one row per encoder, and below the table the first failure of each failing encoder.
std::string validation_text(const StreamFigures& stream, const std::vector<EncoderCheck>& rows);

// Returns costs and sizes, and the growth of the sizes.
// `details`: also the entries on stacks and what the papers' own tables have.
std::string comparison_text(const Comparison& comparison, bool details);

}  // namespace copse::study
