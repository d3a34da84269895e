// A context by the first digits of its stable id, as people type them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/status.h"
#include "compare/identity/id_rules.h"
#include "report/model/report_model.h"

namespace copse::identity {

// Whether these can be digits of an id; the error begins with them.
Status check_digits(const std::string& digits);

// The rows of the one context whose id begins with `digits`: several where contexts are equal by the
// rules, none of them ROOT. The error begins with the digits: no id begins with them, by these rules
// or others, or those of several contexts do. Cost: all ids are made anew.
Result<std::vector<std::int32_t>> find_context(const report::ReportModel& model,
                                               const std::string& digits, const IdRules& rules);

}  // namespace copse::identity
