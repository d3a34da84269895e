#include "shadowstack/sampling/compiled_code.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace copse::sampling {

void CompiledCode::Piece::add(std::uint64_t last, const Origin& origin) {
  if (last < begin_ || last >= end_) return;
  // Where that instruction ends is not known; no other begins at its second byte.
  const auto end = static_cast<std::uint32_t>(last + 1 - begin_);
  if (!runs_.empty() && end <= runs_.back().end) return;
  if (!runs_.empty() && runs_.back().origin == origin) {
    runs_.back().end = end;
  } else {
    runs_.push_back({end, origin});
  }
}

void CompiledCode::put(Piece piece) {
  piece.runs_.shrink_to_fit();
  const auto added = std::make_shared<const Piece>(std::move(piece));
  const std::lock_guard lock(mutex_);
  auto first = pieces_.upper_bound(added->begin_);
  if (first != pieces_.begin() && std::prev(first)->second->end_ > added->begin_) --first;
  pieces_.erase(first, pieces_.lower_bound(added->end_));
  pieces_.emplace(added->begin_, added);
}

void CompiledCode::remove(std::uint64_t begin) noexcept {
  const std::lock_guard lock(mutex_);
  pieces_.erase(begin);
}

void CompiledCode::clear() noexcept {
  const std::lock_guard lock(mutex_);
  pieces_.clear();
}

std::optional<CompiledCode::Place> CompiledCode::place_of(std::uint64_t address) const noexcept {
  std::shared_ptr<const Piece> piece;
  {
    const std::lock_guard lock(mutex_);
    const auto above = pieces_.upper_bound(address);
    if (above == pieces_.begin()) return std::nullopt;
    piece = std::prev(above)->second;
  }
  if (address >= piece->end_) return std::nullopt;
  const auto run =
      std::ranges::upper_bound(piece->runs_, address - piece->begin_, {}, &Piece::Run::end);
  return Place{run == piece->runs_.end() ? Origin() : run->origin, {piece, &piece->calls_}};
}

}  // namespace copse::sampling
