// Ranges of machine code that are of interest, in pieces that come and go as a JIT compiler makes
// and drops them.
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

  // What is of interest in the code at [whole.begin, whole.end): ascending, apart, and inside it.
  // Pieces that it overlaps are gone. Throws std::bad_alloc.
  void put(const Range& whole, std::vector<Range> of_interest);
  // The piece that begins there is gone.
  void remove(std::uint64_t begin) noexcept;

  // Cost: two searches.
  bool has(std::uint64_t address) const noexcept;

 private:
  struct Piece {
    std::uint64_t end;
    std::vector<Range> ranges;
  };
  mutable std::mutex mutex_;
  std::map<std::uint64_t, Piece> pieces_;  // by where they begin
};

}  // namespace copse::sampling
