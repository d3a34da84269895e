// Measures recursion depth in trees before recursion is merged: for each method to be merged, the
// most nodes on one path. Merging loses this number.
//
// A path merged earlier has fewer nodes than frames, so a depth is a lower bound.
#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "base/ids.h"
#include "cct/merged_methods.h"

namespace copse::cct {

class RecursionDepths {
 public:
  // Reads the methods from `merged`, which must outlive the object, and stores each new maximum
  // there.
  explicit RecursionDepths(MergedMethods& merged) noexcept : merged_(merged) {}

  // Adds the next node of a tree in pre-order. Level 0 is ROOT, of kNoMethod. Throws
  // std::bad_alloc. Cost: one look-up; two for merged methods.
  void add(std::size_t level, MethodId method);

 private:
  MergedMethods& merged_;
  std::vector<MethodId> path_;  // kNoMethod: method not merged
  std::unordered_map<MethodId, std::uint32_t> on_path_;
};

}  // namespace copse::cct
