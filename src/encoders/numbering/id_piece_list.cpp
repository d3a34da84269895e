#include "encoders/numbering/id_piece_list.h"

#include <algorithm>

#include "base/make_room.h"

namespace copse::encoders {

const IdPieceList::Piece* IdPieceList::find(std::uint64_t piece) const noexcept {
  return piece < pieces_.size() ? &pieces_[piece] : nullptr;
}

std::uint64_t IdPieceList::epoch_of(std::uint64_t piece) const noexcept {
  const auto after = std::upper_bound(starts_.begin(), starts_.end(), piece);
  return static_cast<std::uint64_t>(after - starts_.begin()) - 1;
}

std::uint64_t IdPieceList::add(const Piece& piece) {
  const std::uint64_t number = pieces_.size();
  if (number >= kMostIdPieces) return 0;
  make_room(pieces_, number + 1);
  pieces_.push_back(piece);
  return number;
}

void IdPieceList::make_room_for_epoch() {
  make_room(starts_, starts_.size() + 1);
  make_room(pieces_, pieces_.size() + 1);
}

void IdPieceList::begin_epoch() noexcept {
  starts_.push_back(pieces_.size());
  pieces_.push_back(Piece{});
}

// By epoch, each piece as the distance to the one it hangs under, the caller's code there, and the edge. With epochs, a 0
// comes first: files in which the epoch was in a piece's highest bits have the number of epochs there.
void IdPieceList::save(wire::StateWriter& out) const {
  if (has_epochs_) out.number(0);
  out.number(starts_.size());
  for (std::size_t epoch = 0; epoch < starts_.size(); ++epoch) {
    const std::uint64_t start = starts_[epoch];
    const std::uint64_t end = epoch + 1 < starts_.size() ? starts_[epoch + 1] : pieces_.size();
    out.number(end - start - 1);
    for (std::uint64_t i = start + 1; i < end; ++i) {
      out.number(i - pieces_[i].caller / kMostIdCodes);
      out.number(pieces_[i].caller % kMostIdCodes);
      out.edge(pieces_[i].edge);
    }
  }
}

void IdPieceList::load(wire::StateReader& in) {
  if (has_epochs_ && in.number() != 0) in.fail("pieces as an earlier version numbered them");
  const std::uint64_t epochs = in.number_below(kMostIdEpochs + 1, "number of epochs");
  if (epochs == 0 || (epochs > 1 && !has_epochs_)) in.fail("a wrong number of epochs");
  for (std::uint64_t epoch = 0; epoch < epochs && in.ok(); ++epoch) {
    if (epoch != 0) {
      if (!has_room_for_epoch()) return in.fail("there are too many pieces");
      make_room_for_epoch();
      begin_epoch();
    }
    const std::size_t count = in.count(5);
    for (std::size_t i = 1; i <= count && in.ok(); ++i) {
      const std::uint64_t up = in.number_below(i + 1, "piece");
      if (up == 0) in.fail("a piece hangs under itself");
      const std::uint64_t code = in.number_below(kMostIdCodes, "code");
      const EdgeKey edge = in.edge();
      if (in.ok() && add({edge, (root() + i - up) * kMostIdCodes + code}) == 0) {
        in.fail("there are too many pieces");
      }
    }
  }
}

}  // namespace copse::encoders
