// The slices of a report as text: those that were kept, and how often a slice called each method.
#pragma once

#include <cstddef>

#include "report/model/report_model.h"
#include "report/text/text_lines.h"

namespace copse::report {

// Writes the `top` slowest slices and the `top` methods whose numbers of calls differ most; nothing for a report without
// slices.
void write_slice_lists(const ReportModel& model, std::size_t top, TextLines& lines);

}  // namespace copse::report
