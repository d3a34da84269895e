// Changes of a numbering, one after the other. With them another process can decode ids even if this one was killed.
// CodeNumbering::save() writes the same data at once, at the end.
#pragma once

#include <cstdint>
#include <span>

#include "base/call_path.h"

namespace copse::encoders {

struct NumberingChange {
  std::uint8_t kind = 0;    // kind within the numbering, below kMostChangeKinds
  std::uint64_t small = 0;  // below kMostSmall
  std::span<const std::uint64_t> words;
};
inline constexpr std::uint8_t kMostChangeKinds = 64;
inline constexpr std::uint64_t kMostSmall = std::uint64_t{1} << 40;

class NumberingJournal {
 public:
  // Adds the change, or notes that the journal lacks it. REQUIRES: the caller holds the numbering's lock; no id that
  // needs the change was given out yet.
  virtual void add(const NumberingChange& change) noexcept = 0;
  // Adds a change of one word.
  void add_word(std::uint8_t kind, std::uint64_t small, std::uint64_t word) noexcept {
    add({kind, small, std::span<const std::uint64_t>(&word, 1)});
  }

 protected:
  ~NumberingJournal() = default;
};

// Returns true if the number is an edge between methods up to `last`. `edge` was read and may be anything.
constexpr bool is_edge_up_to(std::uint64_t edge, MethodId last) noexcept {
  const EdgeKey key{edge};
  return callee_of(key) != kNoMethod && callee_of(key) <= last && caller_of(key) <= last;
}

}  // namespace copse::encoders
