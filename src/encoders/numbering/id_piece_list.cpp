#include "encoders/numbering/id_piece_list.h"

#include "base/make_room.h"

namespace copse::encoders {

std::span<const IdPieceList::Piece> IdPieceList::of(std::uint64_t epoch) const noexcept {
  const std::size_t end = epoch + 1 < starts_.size() ? starts_[epoch + 1] : pieces_.size();
  return {pieces_.data() + starts_[epoch], end - starts_[epoch]};
}

const IdPieceList::Piece* IdPieceList::find(std::uint64_t piece) const noexcept {
  const std::uint64_t epoch = epoch_of(piece);
  if (epoch >= starts_.size()) return nullptr;
  const std::span<const Piece> pieces = of(epoch);
  const std::uint64_t index = piece - (epoch << shift());
  return index < pieces.size() ? &pieces[index] : nullptr;
}

std::uint64_t IdPieceList::add(const Piece& piece) {
  const std::uint64_t index = pieces_.size() - starts_.back();
  if (index >> shift() != 0) return 0;
  make_room(pieces_, pieces_.size() + 1);
  pieces_.push_back(piece);
  return root() + index;
}

void IdPieceList::make_room_for_epoch() {
  make_room(starts_, starts_.size() + 1);
  make_room(pieces_, pieces_.size() + 1);
}

void IdPieceList::begin_epoch() noexcept {
  starts_.push_back(pieces_.size());
  pieces_.push_back(Piece{});
}

// By epoch, each piece as the distance to the one it hangs under, the caller's code there, and the
// edge.
void IdPieceList::save(wire::StateWriter& out) const {
  out.number(starts_.size());
  for (std::uint64_t epoch = 0; epoch < starts_.size(); ++epoch) {
    const std::span<const Piece> pieces = of(epoch);
    out.number(pieces.size() - 1);
    for (std::size_t i = 1; i < pieces.size(); ++i) {
      out.number(i - (pieces[i].caller / kMostIdCodes - (epoch << shift())));
      out.number(pieces[i].caller % kMostIdCodes);
      out.edge(pieces[i].edge);
    }
  }
}

void IdPieceList::load(wire::StateReader& in) {
  const std::uint64_t epochs = in.number_below(kMostIdEpochs + 1, "number of epochs");
  if (epochs == 0 || (epochs > 1 && !has_epochs_)) in.fail("a wrong number of epochs");
  for (std::uint64_t epoch = 0; epoch < epochs && in.ok(); ++epoch) {
    if (epoch != 0) {
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
