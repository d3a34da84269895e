// Contexts and methods that one report has and the other has not.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "compare/diff/comparison.h"
#include "compare/gate/rule.h"
#include "compare/gate/scope.h"
#include "compare/gate/span.h"

namespace copse::gate {

struct Presence {
  std::uint64_t value = 0;          // contexts, or methods
  CountSpan of_runs;                // without those that not every run has
  CountSpan possible;               // with what the reports do not know
  std::string why_unknown;          // "": they know all
  std::vector<std::int32_t> nodes;  // the topmost of them; of a method its first context
};

// Of a term that counts what is new or gone. A context counts when it is in the one report, in all of its
// runs, and in no run of the other; a method when it has such a context and none in the other
// report, `under` considered. What stands for no method (threads, what an event is about, evicted contexts) does
// not count.
Presence presence_of(const diff::Comparison& comparison, const Term& term, const Scope& scope);

}  // namespace copse::gate
