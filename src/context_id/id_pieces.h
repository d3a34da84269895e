// The pieces that contexts are made of (id_layout.h): what each one hangs under, and the table in
// which probes find the piece that a call starts.
//
// Threads: probes read the table without a lock; all functions are called under the owner's.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "context_id/id_layout.h"
#include "encoders/call_path.h"
#include "encoders/state_io.h"
#include "shadowstack/memory_source.h"

namespace copse {

class IdPieces {
 public:
  // `published`: where probes read the table's place; it outlives this.
  IdPieces(MemorySource& memory, std::uint64_t& published) noexcept
      : memory_(memory), published_(published) {}
  ~IdPieces();
  IdPieces(const IdPieces&) = delete;
  IdPieces& operator=(const IdPieces&) = delete;

  // The piece that a call of `callee` (its number) from where `word` stands has started; 0 when it
  // has not.
  std::uint32_t find(std::uint64_t word, std::uint32_t callee) const noexcept;
  // Starts it by this edge. 0 without room. Throws std::bad_alloc.
  std::uint32_t add(std::uint64_t word, std::uint32_t callee, encoders::EdgeKey edge);

  // What a piece that was started hangs under.
  struct Piece {
    encoders::EdgeKey edge;
    std::uint64_t caller;  // piece and code of the edge's caller; the piece is an earlier one
  };
  const std::vector<Piece>& all() const noexcept { return pieces_; }  // [0] is ROOT's
  std::uint64_t count() const noexcept { return pieces_.size() - 1; }

  std::uint64_t bytes() const noexcept { return bytes_ + pieces_.capacity() * sizeof(Piece); }
  // By how much add() may make bytes() grow.
  std::uint64_t growth() const noexcept;

 private:
  IdPieceSlot* slots() const noexcept;
  int log() const noexcept { return static_cast<int>(published_ & 63); }
  std::uint64_t slot_count() const noexcept { return published_ == 0 ? 0 : 1ull << log(); }
  bool is_full() const noexcept { return 3 * pieces_.size() > 2 * slot_count(); }
  bool grow();
  static void insert(IdPieceSlot* slots, int log, const IdPieceSlot& slot) noexcept;

  MemorySource& memory_;
  std::uint64_t& published_;
  std::vector<std::pair<void*, std::uint64_t>> tables_;  // and their bytes, oldest first
  std::vector<Piece> pieces_ = std::vector<Piece>(1);
  std::uint64_t bytes_ = 0;
};

void save_pieces(const std::vector<IdPieces::Piece>& pieces, encoders::StateWriter& out);
std::vector<IdPieces::Piece> load_pieces(encoders::StateReader& in);

}  // namespace copse
