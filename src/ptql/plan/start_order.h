// Which invocations make no difference yet: those that every answer has behind another one of which
// there has been none.
#pragma once

#include <vector>

#include "ptql/plan/plan.h"

namespace copse::ptql {

// By identifier: the methods of which each has to have had an invocation before the START of a record that
// can be the identifier's, in an answer or, NEGATIVE, against one. Of objects none.
std::vector<IdentifierSet> started_before(const Plan& plan);

}  // namespace copse::ptql
