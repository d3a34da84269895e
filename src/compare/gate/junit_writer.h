// Writes outcomes of rules as JUnit XML for build servers: one test case per rule. A broken rule is
// a failure; an undecidable rule is an error.
#pragma once

#include <vector>

#include "compare/diff/comparison.h"
#include "compare/gate/evaluation.h"
#include "report/output.h"

namespace copse::gate {

void write_junit(const std::vector<Outcome>& outcomes, const diff::Comparison& comparison,
                 report::Output& out);

}  // namespace copse::gate
