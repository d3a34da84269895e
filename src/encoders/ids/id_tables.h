// The tables behind in-line context ids: what an edge's codes become in its callee, by a numbering
// (encoders/numbering/numbering.h), laid out for probes (id_layout.h).
//
// Probes find most calls' mappings and pieces by themselves. What they do not find comes to enter(),
// which asks the numbering and leaves the answer where the probe will look next time.
//
// Threads: any; one mutex, taken by enter() and whoever reads the numbering.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>

#include "base/flat_map.h"
#include "base/ids.h"
#include "base/status.h"
#include "base/wire/sections.h"
#include "encoders/ids/id_journal.h"
#include "encoders/ids/id_layout.h"
#include "encoders/ids/id_pieces.h"
#include "encoders/ids/id_run.h"
#include "encoders/ids/run_key.h"
#include "encoders/ids/site_numbers.h"
#include "encoders/numbering/epoch_translations.h"
#include "encoders/numbering/id_decode.h"
#include "encoders/numbering/numbering.h"
#include "shadowstack/memory_source.h"

namespace copse::context_id {

class IdTables {
 public:
  // `most_bytes`: of mappings, numbering, pieces and journal together, about. Throws std::bad_alloc
  // without address space to start with.
  IdTables(shadowstack::MemorySource& memory, const SiteNumbers& numbers, std::uint64_t most_bytes,
           std::unique_ptr<encoders::CodeNumbering> numbering);
  ~IdTables();
  IdTables(const IdTables&) = delete;
  IdTables& operator=(const IdTables&) = delete;

  std::uint64_t slots_address() const noexcept { return reinterpret_cast<std::uint64_t>(slots_); }
  std::uint64_t mappings_address() const noexcept {
    return reinterpret_cast<std::uint64_t>(mappings_);
  }

  // The probes' slow path: the frame word of a call of `callee` (number of its "no call site") from
  // where `word` stands. Below the lost number, and when there is no room, the lost number itself.
  // Cost: about 100 ns.
  std::uint64_t enter(std::uint64_t word, std::uint32_t callee) noexcept;

  // A context as one number (context_number.h). 0 for ROOT and for what is lost.
  std::uint64_t id_of(std::uint64_t word) const;

  // Keeps a journal from now on, where `run` says: the changes that a call needs are there before
  // enter() returns. REQUIRES: enter() was not called yet; `memory` and `run` outlive this.
  void keep_journal(shadowstack::MemorySource& memory, IdRun& run);
  // Makes no change from now on: calls that need one are lost.
  void end();

  // Returns all that turns the ids given out so far back into contexts, but for the names (id_file.h).
  wire::SectionWriter id_file(RunKey key) const;
  // The context of an id; for checks while the program runs.
  Result<CallPath> decode(std::uint64_t id) const;
  std::optional<encoders::LastCall> last_call(std::uint64_t id) const;
  bool is_root(std::uint64_t id) const;

  struct Stats {
    std::uint64_t slow_entries = 0;  // calls of enter()
    std::uint64_t lost_entries = 0;  // of these, without an id
    std::uint64_t mappings = 0;
    std::uint64_t ranges = 0;  // of the numbering
    std::uint64_t pieces = 0;
    std::uint64_t epochs = 0;
    std::uint64_t largest_code = 0;
    std::uint64_t bytes = 0;  // mappings, numbering, pieces and journal
    encoders::CodeNumbering::GraphUse graph;
  };
  Stats stats() const;

 private:
  using Mapping = encoders::CodeNumbering::Mapping;

  bool is_full() const noexcept;
  std::uint64_t by_mapping(std::uint64_t word, std::uint32_t callee, EdgeKey edge,
                           const Mapping& mapping);
  std::uint64_t by_piece(std::uint64_t word, std::uint32_t callee, EdgeKey edge);
  std::uint64_t called(std::uint64_t word, std::uint32_t callee, EdgeKey edge);
  bool is_of_now(std::uint64_t word) const noexcept;
  std::uint64_t translated(std::uint64_t word);
  void begin_epoch();
  // A mapping in the terms of a mapping (id_layout.h), not shifted yet.
  struct Shown {
    std::uint64_t first;
    std::uint64_t length;
    std::uint64_t change;
  };
  Shown shown(const Mapping& mapping) const noexcept;
  std::uint32_t index_of(EdgeKey edge, const Shown& shown, std::uint32_t site,
                         std::uint32_t callee);
  std::uint64_t frame_by(std::uint32_t index, std::uint64_t word) const noexcept;
  void show_in_slot(std::uint32_t index, bool starts_piece) noexcept;
  void show_as_recent(std::uint32_t index, std::uint64_t word) noexcept;

  shadowstack::MemorySource& memory_;
  const SiteNumbers& numbers_;
  const std::uint64_t most_bytes_;
  unsigned char* slots_ = nullptr;  // and, behind them, the recent mappings
  IdMapping* mappings_ = nullptr;
  std::uint64_t reserved_mappings_ = 0;

  mutable std::mutex mutex_;  // of all below
  const std::unique_ptr<encoders::CodeNumbering> numbering_;
  std::unique_ptr<IdPieces> pieces_;
  std::unique_ptr<IdJournal> journal_;  // nullptr: none is kept
  IdRun* run_ = nullptr;                // of the journal
  bool has_ended_ = false;
  // (edge, first code of the callee) -> mapping; 0 of calls that start pieces
  FlatMap<PairKey, std::uint32_t> index_by_edge_;
  encoders::EpochTranslations translations_;
  std::uint64_t committed_bytes_ = 0;
  std::uint32_t mapping_count_ = 1;
  std::uint64_t slow_entries_ = 0;
  std::uint64_t lost_entries_ = 0;
};

}  // namespace copse::context_id
