// Which contexts a term of a rule is of.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/status.h"
#include "compare/diff/comparison.h"
#include "compare/gate/rule.h"

namespace copse::gate {

// By node of the comparison.
class Scope {
 public:
  // The error says that a glob matches nothing.
  static Result<Scope> of(const diff::Comparison& comparison, const Term& term);

  // The context's method is one of the term's, `under` or not.
  bool matches(std::size_t node) const noexcept { return (bits_[node] & kMatches) != 0; }
  // And a method of `under`, if there is one, is further out.
  bool is_meant(std::size_t node) const noexcept { return (bits_[node] & kMeant) != 0; }
  // Meant, or below one that is.
  bool is_inside(std::size_t node) const noexcept { return (bits_[node] & kInside) != 0; }

 private:
  static constexpr std::uint8_t kMatches = 1, kMeant = 2, kInside = 4, kBelow = 8;

  std::vector<std::uint8_t> bits_;
};

}  // namespace copse::gate
