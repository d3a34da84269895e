// Pieces of machine code that a JIT compiler makes and drops, and the ranges of interest in them.
//
// Thread-safe: one mutex.
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <vector>

namespace copse::sampling {

class CodeRanges {
 public:
  struct Range {
    std::uint64_t begin, end;  // addresses; `end` is exclusive
  };

  // An entry of a compiler's table of a piece of code: the instructions behind the previous entry,
  // up to and including the one that begins at `last`.
  struct Entry {
    std::uint64_t last;
    bool of_interest;
  };
  // Returns the ranges of interest of a table whose code begins at `begin`. Throws std::bad_alloc.
  static std::vector<Range> of_table(std::uint64_t begin, const std::vector<Entry>& table);

  // Adds a piece of code at [whole.begin, whole.end). Removes the pieces that it overlaps.
  // REQUIRES: the ranges in `of_interest` are ascending, disjoint, and inside the piece. Throws
  // std::bad_alloc.
  void put(const Range& whole, std::vector<Range> of_interest);
  // Removes the piece that begins at `begin`.
  void remove(std::uint64_t begin) noexcept;

  enum class Place : std::uint8_t { kElsewhere, kInPiece, kOfInterest };
  // Cost: two searches.
  Place place_of(std::uint64_t address) const noexcept;

 private:
  struct Piece {
    std::uint64_t end;
    std::vector<Range> ranges;
  };
  mutable std::mutex mutex_;
  std::map<std::uint64_t, Piece> pieces_;  // by begin
};

}  // namespace copse::sampling
