// Amounts of a term in both reports, with their uncertainty.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "base/status.h"
#include "compare/diff/comparison.h"
#include "compare/gate/rule.h"
#include "compare/gate/span.h"
#include "report/model/quantity.h"

namespace copse::gate {

// Selects the contexts of a rule's term.

// Flags by node of the comparison.
class Scope {
 public:
  // Returns an error for a glob without a match.
  static Result<Scope> of(const diff::Comparison& comparison, const Term& term);

  // Returns true if the context's method matches the term; ignores `under`.
  bool matches(std::size_t node) const noexcept { return (bits_[node] & kMatches) != 0; }
  // Returns true if matches() and, given `under`, a method of it is further out on the path.
  bool is_meant(std::size_t node) const noexcept { return (bits_[node] & kMeant) != 0; }
  // Returns true if the context or an ancestor is meant.
  bool is_inside(std::size_t node) const noexcept { return (bits_[node] & kInside) != 0; }

 private:
  static constexpr std::uint8_t kMatches = 1, kMeant = 2, kInside = 4, kBelow = 8;

  std::vector<std::uint8_t> bits_;
};

// Amount in one report.
struct Amount {
  std::uint64_t value = 0;                // of the first run
  std::uint64_t least = 0, greatest = 0;  // of all runs
  CountSpan possible;                     // includes facts unknown to the report
  std::string why_unknown;  // "12 calls are lost in new.json"; "" means that all is known
  double error = 0;         // one standard error of `value`; 0 means exact

  CountSpan of_runs() const noexcept { return {least, greatest, true}; }
};

struct Amounts {
  Amount before, now;  // OLD, NEW
  bool is_sampled = false;
  report::Unit unit = report::Unit::kCount;
  std::string name;  // "calls", "cpu_ns"
};

// Returns the amounts of a kMeasure term: of calls, the calls of the matched methods; of another
// measure, their inclusive amount, each context once. The error is the reason for "cannot say": no
// such measure, a report without it (OLD may lack it unless `needs_old`), or no calls at all.
Result<Amounts> amounts_of(const diff::Comparison& comparison, const Term& term, const Scope& scope,
                           bool needs_old);

// A context that contributes to an amount.
struct Part {
  std::int32_t node = 0;  // index into comparison.both.nodes
  std::uint64_t before = 0, now = 0;
};
// Returns the contexts that make up an amount, in the order of nodes: of calls, all meant contexts;
// of another measure, the outermost meant contexts with inclusive amounts. Leaves out contexts with
// 0 in both reports.
std::vector<Part> parts_of(const diff::Comparison& comparison, const Amounts& amounts,
                           const Scope& scope);

// Returns the amounts of a term with `per_slice`. The error is the reason for "cannot say": a report without slices (OLD may
// lack them unless `needs_old`), a glob without a match, or one that matches several methods, whose calls in one slice are
// not known together.
Result<Amounts> slice_amounts_of(const diff::Comparison& comparison, const Term& term,
                                 bool needs_old);

// Returns the slice of NEW with the most calls, by its id.
std::uint64_t slice_with_most(const diff::Comparison& comparison, const Term& term);

}  // namespace copse::gate
