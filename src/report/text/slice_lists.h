// The slices of a report as text: those that were kept, and how often a slice called each method.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "report/model/report_model.h"
#include "report/model/text_lines.h"

namespace copse::report {

// Returns amounts of a row of Slices::sums or Slices::kept in words: "1.20 KiB allocated", "about 3 ms parked" of those
// that are sampled. `divisor`: number of slices that they are of.
std::vector<std::string> slice_amounts_in_words(const ReportModel::Slices& slices,
                                                const ReportModel::Slices::Amounts& amounts,
                                                std::size_t row, std::uint64_t divisor = 1);

// Returns the likely reasons why a slice is slower than another one that makes as many calls. `cpu_ns`: 0 if not known.
const char* reasons_besides_calls(std::uint64_t wall_ns, std::uint64_t cpu_ns);

// Writes the `top` slowest slices, the `top` ones with the most calls unless they are among those, and the `top` methods whose
// numbers of calls differ most; nothing for a report without slices.
void write_slice_lists(const ReportModel& model, std::size_t top, TextLines& lines);

}  // namespace copse::report
