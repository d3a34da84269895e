// Journal of a run's ids: the changes of its numbering and pieces, in order, in memory that outlives a killed process
// (id_run.h).
//
//   change   words of 8 bytes, the first of them
//
//     bits   63..56     55..40       39..0
//            kind       how many     `small`
//                       words follow
//
//   kind     below kMostChangeKinds a change of the numbering (numbering_journal.h)
//            kPiece: a piece starts; `small`: piece and code of the caller; a word: the edge
//            kPieceEpoch: pieces are of the next epoch from here on
//
// So a piece takes 16 bytes, and a range of `segment`'s codes as many.
#pragma once

#include <cstdint>
#include <span>

#include "base/ids.h"
#include "base/status.h"
#include "encoders/ids/id_run.h"
#include "encoders/numbering/id_piece_list.h"
#include "encoders/numbering/numbering.h"
#include "encoders/numbering/numbering_journal.h"
#include "shadowstack/lazy_array.h"
#include "shadowstack/memory_source.h"

namespace copse::ids {

// Writes a journal. REQUIRES: the caller holds the lock of the tables. Cost: some ns per change, and a commit per 64
// KiB.
class IdJournal final : public encoders::NumberingJournal {
 public:
  // `most_bytes`: limit of its size. `run` records where the journal is.
  IdJournal(shadowstack::MemorySource& memory, std::uint64_t most_bytes,
            IdRun::Journal& run) noexcept;

  void add(const encoders::NumberingChange& change) noexcept override;
  void add_piece(const encoders::IdPieceList::Piece& piece) noexcept;
  void add_piece_epoch() noexcept;

  std::uint64_t bytes() const noexcept { return run_.words * sizeof(std::uint64_t); }

  static constexpr std::uint8_t kPiece = encoders::kMostChangeKinds;
  static constexpr std::uint8_t kPieceEpoch = kPiece + 1;
  static constexpr int kKindShift = 56;
  static constexpr int kLengthShift = 40;

 private:
  shadowstack::LazyArray<std::uint64_t> words_;
  IdRun::Journal& run_;
};

// Result of repeating a journal's changes, up to the first change that is incomplete or does not follow. REQUIRES:
// numbering and pieces have seen nothing but the changes before these.
struct ReplayedJournal {
  std::uint64_t changes = 0;  // repeated changes
  Status status;              // an error is the reason why not all were repeated
};
ReplayedJournal replay_journal(std::span<const std::uint64_t> words, MethodId last,
                               encoders::CodeNumbering& numbering, encoders::IdPieceList& pieces);

}  // namespace copse::ids
