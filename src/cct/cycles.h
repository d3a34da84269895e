// Finds the methods whose recursion makes most of a program's contexts, and from them the cycles of
// the call graph worth merging (merged_methods.h).
//
// A context is repeated when its method is on the path above it, or when it hangs below a repeated
// context. The methods on the path from the first repeated context up to the previous occurrence of
// its method form one cycle. Cycles with a method in common are one.
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
  // Adds a context not added before; its callers must have been added. `above`: the value returned
  // by add() for the caller; kNoMethod for ROOT's callees. `callers(visit)` calls visit(method) for
  // every method on the path above the context, the nearest first, until visit returns false.
  // Returns the `above` of the context's own callees. Throws std::bad_alloc. Cost: the walk, while
  // nothing on the path is repeated.
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

  // Returns the methods of each cycle below which at least an eighth of all contexts hang; none
  // while less than half of all contexts are repeated.
  std::vector<MethodId> worth_merging();

 private:
  MethodId root_of(MethodId method);
  void unite(MethodId one, MethodId other);

  std::uint64_t contexts_ = 0;
  std::uint64_t repeated_ = 0;
  std::unordered_map<MethodId, MethodId> parent_;       // union-find
  std::unordered_map<MethodId, std::uint64_t> weight_;  // repeated contexts by method
};

}  // namespace copse::cct
