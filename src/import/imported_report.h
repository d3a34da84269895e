// Another tool's profile as a report of its own: copse import.
#pragma once

#include <string>

#include "base/status.h"
#include "import/sampled_stacks.h"
#include "report/model/report_model.h"

namespace copse::join {

// Of what threads did while they had no frame, and above stacks whose outer frames are missing.
inline constexpr const char* kOuterFramesMissing = "(outer frames missing)";

// A context for each way from the outermost frame, and a measure for each value of which there is any.
// Calls are counted only where the file is one that Copse made of a report, and what is counted is calls.
// `stacks`: read with FrameReading::kAll. `name`: the file's. `counts_are`: what the counts of collapsed
// stacks are, "calls" or another measure's name, whose ending is its unit; "": what the stacks say.
// Notes say where the report is from and what it does not know. The error says what does not fit.
Result<report::ReportModel> imported_report(const SampledStacks& stacks, const std::string& name,
                                            const std::string& counts_are = "");

}  // namespace copse::join
