// The most calls of a method in one slice, in both reports (docs/slices.md).
#pragma once

#include "base/status.h"
#include "compare/diff/comparison.h"
#include "compare/gate/amounts.h"
#include "compare/gate/rule.h"

namespace copse::gate {

// Returns the amounts of a term with `per_slice`. The error is the reason for "cannot say": a report without slices (OLD may
// lack them unless `needs_old`), a glob without a match, or one that matches several methods, whose calls in one slice are
// not known together.
Result<Amounts> slice_amounts_of(const diff::Comparison& comparison, const Term& term,
                                 bool needs_old);

// Returns the slice of NEW with the most calls, by its id.
std::uint64_t slice_with_most(const diff::Comparison& comparison, const Term& term);

}  // namespace copse::gate
