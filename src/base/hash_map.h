// A hash map from numbers that can remove entries: robin_map, with a hash that spreads numbers.
//
// Compared with std::unordered_map it needs no allocation per entry and one cache miss per look-up,
// for tables with millions of entries. Entries move: an insertion or a removal invalidates all
// references to others. Change values through `.value()` of an iterator. Not thread-safe.
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

// Bytes of an entry with a number or a pointer, including its share of free entries: a table is a
// quarter to half full.
inline constexpr std::size_t kHashMapEntry = 24 * 8 / 3;

template <typename Value>
using HashMap = tsl::robin_map<std::uint64_t, Value, NumberHash>;

}  // namespace copse
