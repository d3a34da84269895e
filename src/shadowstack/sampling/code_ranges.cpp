#include "shadowstack/sampling/code_ranges.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace copse::sampling {

std::vector<CodeRanges::Range> CodeRanges::of_table(std::uint64_t begin,
                                                    const std::vector<Entry>& table) {
  std::vector<Range> ranges;
  std::uint64_t from = begin;
  for (const Entry& entry : table) {
    // Where that instruction ends is not known; no other begins at its second byte.
    const std::uint64_t to = entry.last + 1;
    if (to <= from) continue;
    if (entry.of_interest) {
      if (!ranges.empty() && ranges.back().end == from) {
        ranges.back().end = to;
      } else {
        ranges.push_back({from, to});
      }
    }
    from = to;
  }
  return ranges;
}

void CodeRanges::put(const Range& whole, std::vector<Range> of_interest) {
  const std::lock_guard lock(mutex_);
  auto first = pieces_.upper_bound(whole.begin);
  if (first != pieces_.begin() && std::prev(first)->second.end > whole.begin) --first;
  pieces_.erase(first, pieces_.lower_bound(whole.end));
  pieces_.emplace(whole.begin, Piece{whole.end, std::move(of_interest)});
}

void CodeRanges::remove(std::uint64_t begin) noexcept {
  const std::lock_guard lock(mutex_);
  pieces_.erase(begin);
}

CodeRanges::Place CodeRanges::place_of(std::uint64_t address) const noexcept {
  const std::lock_guard lock(mutex_);
  const auto above = pieces_.upper_bound(address);
  if (above == pieces_.begin()) return Place::kElsewhere;
  const Piece& piece = std::prev(above)->second;
  if (address >= piece.end) return Place::kElsewhere;
  const std::vector<Range>& ranges = piece.ranges;
  const auto next =
      std::upper_bound(ranges.begin(), ranges.end(), address,
                       [](std::uint64_t at, const Range& range) { return at < range.begin; });
  const bool is_of_interest = next != ranges.begin() && address < std::prev(next)->end;
  return is_of_interest ? Place::kOfInterest : Place::kInPiece;
}

}  // namespace copse::sampling
