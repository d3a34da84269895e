// What became of rules as JUnit's XML, which build servers show: a test case for each rule; a broken
// one is a failure, one that cannot be said an error.
#pragma once

#include <vector>

#include "compare/diff/comparison.h"
#include "compare/gate/evaluation.h"
#include "report/output.h"

namespace copse::gate {

void write_junit(const std::vector<Outcome>& outcomes, const diff::Comparison& comparison,
                 report::Output& out);

}  // namespace copse::gate
