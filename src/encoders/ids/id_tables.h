// Tables of in-line context ids: the mappings of each edge's codes, decided by a numbering
// (encoders/numbering/numbering.h) and laid out for probes (id_layout.h).
//
// Probes find most calls' mappings and pieces by themselves. Other calls go to enter(), which asks the numbering and
// stores the answer where the probe will look next time, but for transitions, which probes store.
//
// Thread-safe; one mutex, taken by enter() and all readers of the numbering.
#pragma once

#include <atomic>
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
#include "encoders/numbering/piece_figures.h"
#include "shadowstack/memory_source.h"

namespace copse::ids {

class IdTables {
 public:
  // `most_bytes`: approximate limit of mappings, numbering, pieces and journal together. Throws std::bad_alloc without
  // address space to start with.
  IdTables(shadowstack::MemorySource& memory, const SiteNumbers& numbers, std::uint64_t most_bytes,
           std::unique_ptr<encoders::CodeNumbering> numbering);
  ~IdTables();
  IdTables(const IdTables&) = delete;
  IdTables& operator=(const IdTables&) = delete;

  std::uint64_t slots_address() const noexcept { return reinterpret_cast<std::uint64_t>(slots_); }
  std::uint64_t mappings_address() const noexcept {
    return reinterpret_cast<std::uint64_t>(mappings_);
  }

  // Slow path of the probes: returns the frame word of a call of `callee` (number of its "no call site") from `word`.
  // Returns the lost number if `word` is lost or there is no room. Cost: about 100 ns.
  std::uint64_t enter(std::uint64_t word, std::uint32_t callee) noexcept;

  // Returns a context as one number (context_number.h); 0 for ROOT and for lost contexts.
  std::uint64_t id_of(std::uint64_t word) const;

  // Lets a numbering with epochs see one in kCollectPeriod of the ids that are asked for, as a sample of the calls.
  void collect(std::uint64_t id) noexcept {
    if (has_epochs_ && collected_.fetch_add(1, std::memory_order_relaxed) % kCollectPeriod == 0) {
      collect_now(id);
    }
  }

  // Keeps a journal from now on, in the place that `run` records: enter() adds the changes that a call needs before it
  // returns. REQUIRES: enter() was not called yet; `memory` and `run` outlive this object.
  void keep_journal(shadowstack::MemorySource& memory, IdRun& run);
  // Stops all changes: calls that need one are lost.
  void end();

  // Returns all data that decodes the ids given out so far, except for the names (id_file.h).
  wire::SectionWriter id_file(RunKey key) const;
  // Returns the context of an id; for checks while the program runs.
  Result<CallPath> decode(std::uint64_t id) const;
  std::optional<encoders::LastCall> last_call(std::uint64_t id) const;
  bool is_root(std::uint64_t id) const;

  // Figures of the paper's tables. stack(): of an id's context, as a height; nothing for an id that was never given out.
  // knows(): see CodeNumbering. Cost: facts() takes some steps for each piece; stack() one for each new piece, and
  // memory.
  StackHeight stack(std::uint64_t id) const;
  std::optional<bool> knows(EdgeKey edge) const;
  SchemeFacts facts() const;

  struct Stats {
    std::uint64_t slow_entries = 0;  // calls of enter()
    std::uint64_t lost_entries = 0;  // calls of enter() without an id
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

  static constexpr std::uint64_t kCollectPeriod = 16;

  void collect_now(std::uint64_t id) noexcept;
  bool is_full() const noexcept;
  std::uint64_t by_mapping(std::uint64_t word, std::uint32_t callee, EdgeKey edge,
                           const Mapping& mapping);
  std::uint64_t by_piece(std::uint64_t word, std::uint32_t callee, EdgeKey edge);
  std::uint64_t called(std::uint64_t word, std::uint32_t callee, EdgeKey edge);
  bool is_of_now(std::uint64_t word) const noexcept;
  std::uint64_t translated(std::uint64_t word);
  void begin_epoch();
  void end_mappings() noexcept;
  // A mapping in the units of id_layout.h, not shifted yet.
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
  bool holds_transitions() const noexcept {
    return numbering_->slots() == encoders::SlotKind::kMappings;
  }
  void show_as_recent(std::uint32_t index, std::uint64_t word) noexcept;

  shadowstack::MemorySource& memory_;
  const SiteNumbers& numbers_;
  const std::uint64_t most_bytes_;
  const bool has_epochs_;
  alignas(64) std::atomic<std::uint64_t> collected_{0};  // written often, unlike its neighbours
  alignas(64) unsigned char* slots_ = nullptr;           // followed by the recent mappings
  IdMapping* mappings_ = nullptr;
  std::uint64_t reserved_mappings_ = 0;

  mutable std::mutex mutex_;  // guards the fields after it
  const std::unique_ptr<encoders::CodeNumbering> numbering_;
  std::unique_ptr<IdPieces> pieces_;
  std::unique_ptr<IdJournal> journal_;  // nullptr if none is kept
  IdRun* run_ = nullptr;                // records the journal
  bool has_ended_ = false;
  // (edge, first code of the callee) -> mapping; 0 for calls that start pieces
  FlatMap<PairKey, std::uint32_t> index_by_edge_;
  encoders::EpochTranslations translations_;
  mutable encoders::PieceHeights heights_;
  std::uint64_t committed_bytes_ = 0;
  std::uint32_t mapping_count_ = 1;
  std::uint32_t ended_mappings_ = 1;  // those before it are of earlier epochs
  std::uint64_t slow_entries_ = 0;
  std::uint64_t lost_entries_ = 0;
};

}  // namespace copse::ids
