#include "encoders/numbering/method_order.h"

#include <algorithm>

#include "encoders/scheme/memory_use.h"

namespace copse::encoders {

bool MethodOrder::add(MethodId caller, MethodId callee) {
  if (caller == callee) return false;
  const std::uint32_t from = raw(caller);
  const std::uint32_t to = raw(callee);
  while (methods_.size() <= std::max(from, to)) {
    methods_.push_back(
        {.place = static_cast<std::uint32_t>(methods_.size()), .callees = {}, .callers = {}});
  }
  const std::uint32_t first = methods_[to].place;
  const std::uint32_t last = methods_[from].place;
  if (first < last) {
    // Only methods between the two can be out of order: those the callee reaches must come after
    // those that reach the caller.
    std::vector<std::uint32_t> below = reached(to, &Method::callees, first, last);
    forget(below);
    if (std::find(below.begin(), below.end(), from) != below.end()) return false;
    std::vector<std::uint32_t> moved = reached(from, &Method::callers, first, last);
    forget(moved);
    const auto by_place = [&](std::uint32_t a, std::uint32_t b) {
      return methods_[a].place < methods_[b].place;
    };
    std::sort(moved.begin(), moved.end(), by_place);
    std::sort(below.begin(), below.end(), by_place);
    moved.insert(moved.end(), below.begin(), below.end());
    std::vector<std::uint32_t> places;
    for (const std::uint32_t method : moved) places.push_back(methods_[method].place);
    std::sort(places.begin(), places.end());
    for (std::size_t i = 0; i < moved.size(); ++i) methods_[moved[i]].place = places[i];
  }
  methods_[from].callees.push_back(to);
  methods_[to].callers.push_back(from);
  return true;
}

// From `from` on, itself included; all are marked as seen.
std::vector<std::uint32_t> MethodOrder::reached(std::uint32_t from, Edges along,
                                                std::uint32_t first_place,
                                                std::uint32_t last_place) {
  std::vector<std::uint32_t> found = {from};
  methods_[from].is_seen = true;
  for (std::size_t i = 0; i < found.size(); ++i) {
    for (const std::uint32_t next : methods_[found[i]].*along) {
      Method& method = methods_[next];
      if (method.is_seen || method.place < first_place || method.place > last_place) continue;
      method.is_seen = true;
      found.push_back(next);
    }
  }
  return found;
}

void MethodOrder::forget(const std::vector<std::uint32_t>& seen) noexcept {
  for (const std::uint32_t method : seen) methods_[method].is_seen = false;
}

std::uint64_t MethodOrder::bytes() const noexcept {
  std::uint64_t bytes = encoders::allocated_bytes(methods_);
  for (const Method& method : methods_) {
    bytes += encoders::allocated_bytes(method.callees) + encoders::allocated_bytes(method.callers);
  }
  return bytes;
}

}  // namespace copse::encoders
