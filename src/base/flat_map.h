// Open-addressing hash map of plain data: the only table that encoders look up per call.
//
// Layout: one array of {key, value}, a power of two long, at most half full, linear probing. A
// default-constructed key marks a free slot, so it cannot be stored. Entries are never erased.
// Invariant: bytes() is exactly the memory allocated. Not thread-safe.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/call_path.h"

namespace copse {

inline constexpr std::uint64_t kHashMultiplier = 0x9E3779B97F4A7C15;

constexpr std::uint64_t hash_of(std::uint64_t key) noexcept { return key * kHashMultiplier; }
constexpr std::uint64_t hash_of(EdgeKey key) noexcept { return hash_of(raw(key)); }

// A key of two words; the first must not be 0.
struct PairKey {
  std::uint64_t first = 0;
  std::uint64_t second = 0;
  friend constexpr bool operator==(const PairKey&, const PairKey&) = default;
};
constexpr std::uint64_t hash_of(PairKey key) noexcept {
  return (key.first ^ std::rotl(hash_of(key.second), 29)) * kHashMultiplier;
}

template <typename Key, typename Value>
class FlatMap {
  static_assert(std::is_trivially_copyable_v<Key> && std::is_trivially_copyable_v<Value>);

 public:
  struct Slot {
    Key key{};
    Value value{};
  };

  FlatMap() : slots_(kInitialSlots) {}

  // Returns nullptr when absent. Cost: one probe when the table is in cache.
  Value* find(Key key) noexcept { return const_cast<Value*>(std::as_const(*this).find(key)); }
  const Value* find(Key key) const noexcept {
    for (std::size_t i = index_of(key);; i = (i + 1) & (slots_.size() - 1)) {
      const Slot& slot = slots_[i];
      if (slot.key == key) return &slot.value;
      if (slot.key == Key{}) return nullptr;
    }
  }

  // Returns the value of `key`, default-constructed when it was absent. Invalidates pointers when
  // the table grows.
  Value& operator[](Key key) {
    if (Value* value = find(key)) return *value;
    if (2 * (size_ + 1) > slots_.size()) grow();
    ++size_;
    Slot& slot = free_slot(key);
    slot.key = key;
    return slot.value;
  }

  // Removes all entries; keeps the memory.
  void clear() noexcept {
    std::fill(slots_.begin(), slots_.end(), Slot{});
    size_ = 0;
  }

  template <typename Visitor>
  void for_each(Visitor&& visit) const {
    for (const Slot& slot : slots_) {
      if (!(slot.key == Key{})) visit(slot.key, slot.value);
    }
  }

  std::size_t size() const noexcept { return size_; }
  std::uint64_t bytes() const noexcept { return slots_.capacity() * sizeof(Slot); }

 private:
  static constexpr std::size_t kInitialSlots = 16;

  std::size_t index_of(Key key) const noexcept {
    return static_cast<std::size_t>(hash_of(key) >> shift_);
  }
  Slot& free_slot(Key key) noexcept {
    std::size_t i = index_of(key);
    while (!(slots_[i].key == Key{})) i = (i + 1) & (slots_.size() - 1);
    return slots_[i];
  }
  void grow() {
    std::vector<Slot> old(2 * slots_.size());
    old.swap(slots_);
    --shift_;
    for (const Slot& slot : old) {
      if (!(slot.key == Key{})) free_slot(slot.key) = slot;
    }
  }

  std::vector<Slot> slots_;
  std::size_t size_ = 0;
  int shift_ = 64 - std::countr_zero(kInitialSlots);
};

}  // namespace copse
