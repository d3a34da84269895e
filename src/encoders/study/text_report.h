// What validate and compare print.
#pragma once

#include <string>
#include <vector>

#include "encoders/study/comparison.h"

namespace copse::study {

// The stream, one row per encoder, and below the table where each failing one failed first.
std::string validation_text(const StreamFigures& stream, const std::vector<EncoderCheck>& rows);

// Costs and sizes, and how the sizes grew.
std::string comparison_text(const Comparison& comparison);

// Both begin with it: what was replayed, and where tokens were taken.
std::string stream_text(const StreamFigures& stream);

}  // namespace copse::study
