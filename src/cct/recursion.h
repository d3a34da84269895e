// What becomes of recursion in a tree: MergedMethods says what merging means.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "base/ids.h"

namespace copse::cct {

enum class Recursion : std::uint8_t {
  kFull,   // every call has a context of its own
  kAuto,   // until a cycle of methods makes most of many contexts; then that cycle is merged
  kMerge,  // every method's recursion is merged
};

struct RecursionOptions {
  Recursion recursion = Recursion::kFull;
  // kAuto: contexts at which cycles are looked for first.
  std::uint64_t look_at = std::uint64_t{1} << 20;
};

// When to look for cycles, of kAuto: where there were none, at twice as many contexts; where there
// were some, sooner than before, for a program with one cycle has more.
class NextLook {
 public:
  explicit NextLook(const RecursionOptions& options) noexcept
      : at_(options.recursion == Recursion::kAuto ? options.look_at : kNever),
        least_(std::max<std::uint64_t>(options.look_at / 16, 1)),
        after_success_(options.look_at) {}

  bool is_due(std::uint64_t contexts) const noexcept { return contexts >= at_; }
  void found_none(std::uint64_t contexts) noexcept { at_ = 2 * contexts; }
  // `left`: contexts, recursion merged.
  void found_some(std::uint64_t left) noexcept {
    after_success_ = std::max(after_success_ / 2, least_);
    at_ = std::max(after_success_, 2 * left);
  }

 private:
  static constexpr std::uint64_t kNever = ~std::uint64_t{0};

  std::uint64_t at_;
  std::uint64_t least_;
  std::uint64_t after_success_;
};

// What was merged in a tree. Which contexts become one depends on the methods alone when these were
// chosen at once; when more were added later, on what had been merged before too. Sums are exact
// either way, and no merged method is on a path twice, unless is_left_full.
struct MergedRecursion {
  bool all = false;                 // every method's
  std::vector<MethodId> methods;    // else of these, in the order of their ids
  std::uint64_t from_contexts = 0;  // when there were so many contexts, the first time
  std::uint32_t times = 0;          // that methods were added
  // Of each of `methods`, calls of it that were seen one below another on one path before it was
  // merged: of all trees and times the most. It may have gone deeper; 0: nothing is known.
  std::vector<std::uint32_t> depth_at_least;
  // There was no memory to merge what was there when methods were added: these contexts are exact,
  // calls since then count at their method's nearest node on the path.
  bool is_left_full = false;
};

}  // namespace copse::cct
