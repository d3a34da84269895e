// Converts outcomes of rules for a comparison's JSON and page.
#pragma once

#include <vector>

#include "compare/gate/evaluation.h"
#include "report/model/report_model.h"

namespace copse::gate {

std::vector<report::ReportModel::Compared::Rule> judged_rules(const std::vector<Outcome>& outcomes);

}  // namespace copse::gate
