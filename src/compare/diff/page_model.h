// Makes the report that the page shows for a comparison: both trees, with OLD's values as measures
// beside NEW's.
#pragma once

#include "compare/diff/comparison.h"
#include "report/model/report_model.h"

namespace copse::diff {

// Shown by the same measure as `comparison.both`. Moves the columns.
report::ReportModel page_model(Comparison comparison);

}  // namespace copse::diff
