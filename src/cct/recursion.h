// Treatment of recursion in a tree; MergedMethods defines merging.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "base/ids.h"

namespace copse::cct {

enum class Recursion : std::uint8_t {
  kFull,   // every call has a context of its own
  kAuto,   // merges a cycle of methods once it makes most of many contexts
  kMerge,  // every method's recursion is merged
};

struct RecursionOptions {
  Recursion recursion = Recursion::kFull;
  // kAuto: number of contexts at the first search for cycles.
  std::uint64_t look_at = std::uint64_t{1} << 20;
};

// Schedule of kAuto's searches for cycles. After a search that found none, the next is at twice as
// many contexts. After one that found some, the next is sooner than before, since a program with
// one cycle has more.
class NextLook {
 public:
  explicit NextLook(const RecursionOptions& options) noexcept
      : at_(options.recursion == Recursion::kAuto ? options.look_at : kNever),
        least_(std::max<std::uint64_t>(options.look_at / 16, 1)),
        after_success_(options.look_at) {}

  bool is_due(std::uint64_t contexts) const noexcept { return contexts >= at_; }
  void found_none(std::uint64_t contexts) noexcept { at_ = 2 * contexts; }
  // `left`: number of contexts after merging.
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

// Recursion merged in a tree. If all methods were chosen at once, they alone determine the contexts
// that become one; if more were added later, the contexts merged before matter too. Sums are exact
// either way, and no merged method is on a path twice, unless is_left_full.
struct MergedRecursion {
  bool all = false;                 // every method is merged
  std::vector<MethodId> methods;    // the merged methods otherwise, by id
  std::uint64_t from_contexts = 0;  // number of contexts at the first merge
  std::uint32_t times = 0;          // number of times that methods were added
  // By index in `methods`: the most calls of the method seen one below another on one path before
  // it was merged, over all trees and times. It may have gone deeper; 0 means unknown.
  std::vector<std::uint32_t> depth_at_least;
  // True if there was no memory to merge the existing contexts when methods were added. These
  // contexts are exact; later calls count at their method's nearest node on the path.
  bool is_left_full = false;
};

}  // namespace copse::cct
