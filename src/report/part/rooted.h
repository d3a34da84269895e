// What some methods do, wherever they are called from.
#pragma once

#include "report/model/report_model.h"
#include "report/part/method_choice.h"

namespace copse::report {

// The subtrees of the chosen methods' outermost occurrences, laid over each other, with one root
// for each method that has such an occurrence. A chosen method that another one, or itself, has
// called stays in that one's subtree, so nothing counts twice.
// Cost: a pass over `model`, and O(n log n) for n nodes of the result; 4 bytes per node of `model` and
// some 100 per node of the result while it takes.
ReportModel rooted(const ReportModel& model, const MethodChoice& choice);

}  // namespace copse::report
