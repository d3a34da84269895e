// Finds a context by the first digits of its stable id, as typed by a user.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/status.h"
#include "compare/identity/id_rules.h"
#include "report/model/report_model.h"

namespace copse::identity {

// Returns an error, which begins with the digits, unless they can be digits of an id.
Status check_digits(const std::string& digits);

// Returns the rows of the one context whose id begins with `digits`: several rows when contexts are
// equal by the rules, never ROOT. Where no id by these rules begins with twelve digits or more, those by
// other rules count, as of a comparison. The error begins with the digits: no id begins with them, or
// several do. Cost: computes all ids.
Result<std::vector<std::int32_t>> find_context(const report::ReportModel& model,
                                               const std::string& digits, const IdRules& rules);

}  // namespace copse::identity
