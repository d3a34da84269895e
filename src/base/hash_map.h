// A hash map of numbers that gives entries back: robin_map, with a hash that spreads numbers.
//
// Against std::unordered_map: no allocation per entry and one cache miss per look-up, where tables
// have millions of entries. Entries move: an insertion or a removal ends all references to others.
// `.value()` of an iterator is what may be changed.
// Threads: none; one caller at a time.
#pragma once

#include <tsl/robin_map.h>

#include <cstddef>
#include <cstdint>

#include "base/flat_map.h"

namespace copse {

struct NumberHash {
  std::size_t operator()(std::uint64_t number) const noexcept {
    const std::uint64_t hash = hash_of(number);
    return static_cast<std::size_t>(hash ^ (hash >> 32));
  }
};

// Bytes of an entry with a number or a pointer, and of its share of the free ones: a table is a quarter
// to half full.
inline constexpr std::size_t kHashMapEntry = 24 * 8 / 3;

template <typename Value>
using HashMap = tsl::robin_map<std::uint64_t, Value, NumberHash>;

}  // namespace copse
