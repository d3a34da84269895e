// Finds out whose recursion makes most of a program's contexts, and with that which cycles of the
// call graph are worth merging (merged_methods.h).
//
// A context is repeated when its method is on the path above it, or when it hangs below such a one.
// The methods on the path from the first repeated context up to the method's occurrence before it
// are one cycle; cycles with a method in common are one.
#pragma once

#include <algorithm>
#include <cstdint>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/ids.h"

namespace copse::cct {

class Cycles {
 public:
  // A context, of which nothing was told before but its callers. `above`: what add() returned for
  // the caller; kNoMethod for ROOT's callees. `callers(visit)` calls visit(method) for every method
  // on the path above it, the nearest first, until that returns false. Returns what its own callees
  // are to tell. Throws std::bad_alloc. Cost: the walk, where nothing is repeated yet.
  template <typename Callers>
  MethodId add(MethodId method, MethodId above, Callers callers) {
    ++contexts_;
    if (above == kNoMethod) {
      bool is_repeated = false;
      callers([&](MethodId caller) { return !(is_repeated = caller == method); });
      if (!is_repeated) return kNoMethod;
      callers([&](MethodId caller) {
        unite(caller, method);
        return caller != method;
      });
      above = method;
    }
    ++weight_[above];
    ++repeated_;
    return above;
  }

  std::uint64_t contexts() const noexcept { return contexts_; }

  // The methods of the cycles below which an eighth of all contexts or more hang, each; none while
  // less than half of all contexts are repeated.
  std::vector<MethodId> worth_merging();

 private:
  MethodId root_of(MethodId method);
  void unite(MethodId one, MethodId other);

  std::uint64_t contexts_ = 0;
  std::uint64_t repeated_ = 0;
  std::unordered_map<MethodId, MethodId> parent_;       // union-find
  std::unordered_map<MethodId, std::uint64_t> weight_;  // contexts, by the method repeated
};

}  // namespace copse::cct
