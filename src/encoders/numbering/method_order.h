// A call graph that is kept without cycles while edges are added: its methods in an order in which
// callers come before what they call (Pearce and Kelly, JEA 2006).
//
// Threads: none.
#pragma once

#include <cstdint>
#include <vector>

#include "base/ids.h"

namespace copse::encoders {

class MethodOrder {
 public:
  // False when the edge would close a cycle: then it is not added. Throws std::bad_alloc, after
  // which nothing may be added. Cost: nothing to speak of when the caller comes first already, else
  // the edges between the two places.
  bool add(MethodId caller, MethodId callee);

  bool comes_before(MethodId a, MethodId b) const noexcept {
    return methods_[raw(a)].place < methods_[raw(b)].place;
  }
  std::uint64_t bytes() const noexcept;

 private:
  struct Method {
    std::uint32_t place;
    bool is_seen = false;
    std::vector<std::uint32_t> callees;
    std::vector<std::uint32_t> callers;
  };
  using Edges = std::vector<std::uint32_t> Method::*;

  std::vector<std::uint32_t> reached(std::uint32_t from, Edges along, std::uint32_t first_place,
                                     std::uint32_t last_place);
  void forget(const std::vector<std::uint32_t>& seen) noexcept;

  std::vector<Method> methods_;  // by id
};

}  // namespace copse::encoders
