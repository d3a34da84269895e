// Contexts and methods in one report only.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "compare/diff/comparison.h"
#include "compare/gate/amounts.h"
#include "compare/gate/rule.h"
#include "compare/gate/span.h"

namespace copse::gate {

struct Presence {
  std::uint64_t value = 0;          // number of contexts or methods
  CountSpan of_runs;                // excludes contexts that not every run has
  CountSpan possible;               // includes facts unknown to the reports
  std::string why_unknown;          // "" means that all is known
  std::vector<std::int32_t> nodes;  // topmost contexts, or the first context of each method
};

// Counts new or gone contexts or methods, or contexts that are called more often. A context counts when it is in all
// runs of the one report and in no run of the other; as called more often, when its least calls in NEW are more than its
// greatest in OLD. A method counts when it has such a context and none in the other
// report; `under` applies. Rows that stand for no method (threads, objects of events, evicted
// contexts) do not count.
Presence presence_of(const diff::Comparison& comparison, const Term& term, const Scope& scope);

}  // namespace copse::gate
