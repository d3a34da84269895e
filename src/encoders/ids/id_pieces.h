// Table in which probes look up a call that no mapping covers: the piece that it started, or the call's context in
// numbers of a later epoch.
//
// Threads: probes read the table without a lock. REQUIRES, for all functions: the caller holds the owner's lock.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "base/call_path.h"
#include "base/wire/state_io.h"
#include "encoders/ids/id_journal.h"
#include "encoders/ids/id_layout.h"
#include "encoders/numbering/id_piece_list.h"
#include "shadowstack/memory_source.h"

namespace copse::ids {

class IdPieces {
 public:
  // `published`: where probes read the table's address; it outlives this object.
  IdPieces(shadowstack::MemorySource& memory, std::uint64_t& published, bool has_epochs) noexcept
      : memory_(memory), published_(published), list_(has_epochs) {}
  ~IdPieces();
  IdPieces(const IdPieces&) = delete;
  IdPieces& operator=(const IdPieces&) = delete;

  // Returns the frame word given to a call of `callee` (its number) from `word`; 0 if none was given.
  std::uint64_t find(std::uint64_t word, std::uint32_t callee) const noexcept;
  // Starts a piece with the call, which is by this edge. Returns 0 without room. Throws std::bad_alloc.
  std::uint64_t start(std::uint64_t word, std::uint32_t callee, EdgeKey edge);
  // Gives the call another frame word. May do nothing for lack of room. Throws std::bad_alloc.
  void remember(std::uint64_t word, std::uint64_t frame);

  // Adds new pieces to the journal from now on, before probes see them. REQUIRES: the journal outlives this object.
  void keep_journal(IdJournal& journal) noexcept { journal_ = &journal; }

  void make_room_for_epoch() { list_.make_room_for_epoch(); }  // throws std::bad_alloc
  // Begins with an empty table; probes may read the old one without time limit.
  void begin_epoch() noexcept;

  const encoders::IdPieceList& list() const noexcept { return list_; }
  std::uint64_t bytes() const noexcept { return bytes_ + list_.bytes(); }
  // Maximum growth of bytes() in one start().
  std::uint64_t growth() const noexcept;

 private:
  IdPieceSlot* slots() const noexcept;
  int log() const noexcept { return static_cast<int>(published_ & kIdPieceLogMask); }
  std::uint64_t slot_count() const noexcept { return published_ == 0 ? 0 : 1ull << log(); }
  bool is_full() const noexcept { return 3 * (used_ + 1) > 2 * slot_count(); }
  bool grow();
  bool make_table(int log, bool with_old);  // throws std::bad_alloc
  static void insert(IdPieceSlot* slots, int log, const IdPieceSlot& slot) noexcept;

  shadowstack::MemorySource& memory_;
  std::uint64_t& published_;
  encoders::IdPieceList list_;
  IdJournal* journal_ = nullptr;                         // nullptr if none is kept
  std::vector<std::pair<void*, std::uint64_t>> tables_;  // with their bytes, oldest first
  std::uint64_t used_ = 0;                               // used slots of the table
  std::uint64_t bytes_ = 0;
};

}  // namespace copse::ids
