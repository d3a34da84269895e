// Pieces of machine code that come and go as a JIT compiler makes and drops them, and the ranges in
// them that are of interest.
//
// Threads: any; one mutex.
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <vector>

namespace copse::sampling {

class CodeRanges {
 public:
  struct Range {
    std::uint64_t begin, end;  // addresses; the end is no part of it
  };

  // What a compiler's table tells of a piece of code: the instructions behind the entry before, up to
  // and including the one that begins at `last`.
  struct Entry {
    std::uint64_t last;
    bool of_interest;
  };
  // The ranges of interest of such a table, of code that begins there. Throws std::bad_alloc.
  static std::vector<Range> of_table(std::uint64_t begin, const std::vector<Entry>& table);

  // There is a piece of code at [whole.begin, whole.end), and what is of interest in it: ascending,
  // apart, and inside it. Pieces that it overlaps are gone. Throws std::bad_alloc.
  void put(const Range& whole, std::vector<Range> of_interest);
  // The piece that begins there is gone.
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
  std::map<std::uint64_t, Piece> pieces_;  // by where they begin
};

}  // namespace copse::sampling
