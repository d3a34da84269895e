// Converts another tool's profile to a report of its own: copse import.
#pragma once

#include <string>

#include "base/status.h"
#include "import/sampled_stacks.h"
#include "report/model/report_model.h"

namespace copse::join {

// Caller of stacks whose outer frames are missing.
inline constexpr const char* kOuterFramesMissing = "(outer frames missing)";

// Makes one context for each path from the outermost frame, and one measure for each value with a
// nonzero amount. Calls are counted only for call values in a file that Copse made of a report.
// `stacks`: read with FrameReading::kAll. `name`: name of the file. `counts_are`: meaning of the
// counts of collapsed stacks, "calls" or another measure's name with its unit as ending; "" keeps
// the meaning that the stacks have. Notes name the origin of the report and its gaps. The error
// describes the mismatch.
Result<report::ReportModel> imported_report(const SampledStacks& stacks, const std::string& name,
                                            const std::string& counts_are = "");

}  // namespace copse::join
