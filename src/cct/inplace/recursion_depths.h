// How deep recursion goes in trees in which it is not merged yet: of each method that is to be
// merged the most nodes on one path. Once it is merged nobody can tell any more.
//
// What a tree merged before is a path of fewer nodes than the frames it stands for, so a depth is a
// lower bound.
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
  // `merged`, which must outlive it, has the methods, and takes each new most.
  explicit RecursionDepths(MergedMethods& merged) noexcept : merged_(merged) {}

  // The next node of a tree in pre-order: `level` 0 is its ROOT, of kNoMethod. Throws
  // std::bad_alloc. Cost: a look-up, of merged methods two.
  void add(std::size_t level, MethodId method);

 private:
  MergedMethods& merged_;
  std::vector<MethodId> path_;  // kNoMethod: of a method that is not merged
  std::unordered_map<MethodId, std::uint32_t> on_path_;
};

}  // namespace copse::cct
