// A comparison as the page shows it: a report of both trees, with OLD's values as measures beside NEW's.
#pragma once

#include "compare/diff/comparison.h"
#include "report/model/report_model.h"

namespace copse::diff {

// Shown by what `comparison.both` is. Columns are moved.
report::ReportModel page_model(Comparison comparison);

}  // namespace copse::diff
