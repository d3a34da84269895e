// Pieces of contexts (context_number.h), each with the context that it hangs under.
//
// Not thread-safe; the owner has a lock.
#pragma once

#include <cstdint>
#include <vector>

#include "base/call_path.h"
#include "base/wire/state_io.h"
#include "encoders/numbering/context_number.h"
#include "encoders/scheme/memory_use.h"

namespace copse::encoders {

// Pieces by number. Numbers are dense. An epoch's pieces follow each other; the first one is ROOT's.
class IdPieceList {
 public:
  struct Piece {
    EdgeKey edge;          // kNoEdge for ROOT's
    std::uint64_t caller;  // piece and code of the edge's caller; an earlier piece of the epoch
  };

  explicit IdPieceList(bool has_epochs = false) noexcept : has_epochs_(has_epochs) {}

  // Returns nullptr if there is no such piece.
  const Piece* find(std::uint64_t piece) const noexcept;
  static bool is_root(const Piece& piece) noexcept { return piece.edge == kNoEdge; }
  // Cost: a binary search.
  std::uint64_t epoch_of(std::uint64_t piece) const noexcept;
  // ROOT's piece in the current epoch, the epoch's first.
  std::uint64_t root() const noexcept { return starts_.back(); }
  std::uint64_t epoch() const noexcept { return starts_.size() - 1; }
  std::uint64_t count() const noexcept { return pieces_.size() - starts_.size(); }
  std::uint64_t count_in_epoch() const noexcept { return pieces_.size() - starts_.back() - 1; }
  std::uint64_t bytes() const noexcept {
    return encoders::allocated_bytes(pieces_) + encoders::allocated_bytes(starts_);
  }
  bool grows() const noexcept { return pieces_.size() == pieces_.capacity(); }

  // Returns the new piece's number; 0 if numbers are used up. Throws std::bad_alloc.
  std::uint64_t add(const Piece& piece);
  // Returns true if there are epochs and room for one more.
  bool has_room_for_epoch() const noexcept {
    return has_epochs_ && starts_.size() < kMostIdEpochs && pieces_.size() < kMostIdPieces / 2;
  }
  void make_room_for_epoch();  // throws std::bad_alloc
  void begin_epoch() noexcept;

  void save(wire::StateWriter& out) const;
  void load(wire::StateReader& in);

 private:
  bool has_epochs_;
  std::vector<Piece> pieces_ = std::vector<Piece>(1);
  std::vector<std::uint64_t> starts_ = {0};  // by epoch: its first piece
};

}  // namespace copse::encoders
