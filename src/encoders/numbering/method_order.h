// Keeps a call graph free of cycles while edges are added: an order of its methods with callers before callees (Pearce
// and Kelly, JEA 2006).
//
// Not thread-safe.
#pragma once

#include <cstdint>
#include <vector>

#include "base/ids.h"

namespace copse::encoders {

class MethodOrder {
 public:
  // Adds the edge; returns false, and does not add it, if it would close a cycle. After std::bad_alloc nothing may be
  // added. Cost: negligible if the caller already comes first, else the edges between the two positions.
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
