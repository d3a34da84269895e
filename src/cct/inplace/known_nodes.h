// The nodes that the columns of measures (measured_contexts.h) have for nodes of one thread's trees. Amounts of a thread that
// is deep in its stack then need no look-up per frame: an overflow that passes a handler in each of 100,000 frames is an event
// in each of them.
//
// Only some of the nodes on a long way are noted: short ways cost less to go again than to note. At its bound everything is
// forgotten.
#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>

namespace copse::cct {

class KnownNodes {
 public:
  // Ways of so many nodes need not be noted.
  static constexpr std::size_t kShort = 32;
  // Distance of the nodes that are noted on a longer way.
  static constexpr std::size_t kEvery = 16;

  // Forgets all if the thread's trees or the columns are not those of the last call any more.
  void keep_for(std::uint64_t trees, std::uint64_t columns) noexcept {
    if (trees != trees_ || columns != columns_) nodes_.clear();
    trees_ = trees;
    columns_ = columns;
  }
  // Returns the column's node for a node of a tree; 0 means none.
  std::uint32_t find(std::size_t column, std::uint32_t number) const noexcept {
    const auto found = nodes_.find(key(column, number));
    return found == nodes_.end() ? 0 : found->second;
  }
  // Throws std::bad_alloc.
  void add(std::size_t column, std::uint32_t number, std::uint32_t node) {
    if (nodes_.size() >= kMost) nodes_.clear();
    nodes_.emplace(key(column, number), node);
  }

 private:
  static constexpr std::size_t kMost = std::size_t{1} << 17;

  static constexpr std::uint64_t key(std::size_t column, std::uint32_t number) noexcept {
    return std::uint64_t{column} << 32 | number;
  }

  std::uint64_t trees_ = 0;
  std::uint64_t columns_ = 0;
  std::unordered_map<std::uint64_t, std::uint32_t> nodes_;
};

}  // namespace copse::cct
