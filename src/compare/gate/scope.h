// Selects the contexts of a rule's term.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/status.h"
#include "compare/diff/comparison.h"
#include "compare/gate/rule.h"

namespace copse::gate {

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

}  // namespace copse::gate
