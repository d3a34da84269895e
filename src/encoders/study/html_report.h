// Writes a comparison as one page: a table whose figures have bars behind them, and the text. The page needs no network
// and runs no script.
#pragma once

#include <string>

#include "encoders/study/comparison.h"

namespace copse::study {

std::string comparison_html(const Comparison& comparison);
// For a comparison without a trace.
std::string live_html(const LiveComparison& live);

}  // namespace copse::study
