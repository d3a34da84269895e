// A comparison as one page: bars for time and size, a panel per encoder for growth, and the text
// table. Needs no network and runs no script.
#pragma once

#include <string>

#include "study/comparison.h"

namespace copse::study {

std::string comparison_html(const Comparison& comparison);
// Where no trace was compared.
std::string live_html(const LiveComparison& live);

}  // namespace copse::study
