// The ways to some methods: who calls them, and what each way costs.
#pragma once

#include "report/model/report_model.h"
#include "report/part/method_choice.h"

namespace copse::report {

// The contexts of the chosen methods, from ROOT on, without what is below. A context of one has its
// calls, exactly. Of measures an outermost occurrence has all that its subtree has, itself
// included, and an inner one nothing, so nothing counts twice. The callers have nothing of their
// own. Cost: linear.
ReportModel calls_into(const ReportModel& model, const MethodChoice& choice);

}  // namespace copse::report
