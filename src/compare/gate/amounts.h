// What both reports have of a term: how much, and how far that is known.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "base/status.h"
#include "compare/diff/comparison.h"
#include "compare/gate/rule.h"
#include "compare/gate/scope.h"
#include "compare/gate/span.h"
#include "report/text/quantity.h"

namespace copse::gate {

// Of one report.
struct Amount {
  std::uint64_t value = 0;                // of the first run, where there are several
  std::uint64_t least = 0, greatest = 0;  // of all runs
  CountSpan possible;                     // with what the report does not know
  std::string why_unknown;                // "12 calls are lost in new.json"; "": it knows all
  double error = 0;                       // a standard error of `value`; 0: it is exact

  CountSpan of_runs() const noexcept { return {least, greatest, true}; }
};

struct Amounts {
  Amount before, now;  // of OLD and of NEW
  bool is_sampled = false;
  report::Unit unit = report::Unit::kCount;
  std::string name;  // "calls", "cpu_ns"
};

// Of a term of kMeasure: of calls those of the methods, of another measure what was counted in them
// and below, each context once. The error says why it cannot be said: there is no such measure, a report does not
// have it (OLD need not where `needs_old` is false), there are no calls at all.
Result<Amounts> amounts_of(const diff::Comparison& comparison, const Term& term, const Scope& scope,
                           bool needs_old);

// A context that is a part of an amount.
struct Part {
  std::int32_t node = 0;  // of comparison.both
  std::uint64_t before = 0, now = 0;
};
// Of calls all contexts that are meant, of another measure the outermost ones with all below them.
// Those of which neither report has anything are left out. In the order of nodes.
std::vector<Part> parts_of(const diff::Comparison& comparison, const Amounts& amounts,
                           const Scope& scope);

}  // namespace copse::gate
