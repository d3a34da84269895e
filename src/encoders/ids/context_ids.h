// A run that keeps a context id in every thread: what its probes need and what its events left.
//
// With a numbering (encoders/numbering/numbering.h) every id decodes to its context. Without one ids are hash
// values (Bond and McKinley, OOPSLA 2007: pcc), which tell contexts apart.
//
// Threads: any. Locks: those of the parts; never two held.
// An event holds the end off until it is where it belongs.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <shared_mutex>

#include "base/wire/sections.h"
#include "encoders/events/event_kind.h"
#include "encoders/events/event_log.h"
#include "encoders/events/event_thread.h"
#include "encoders/events/outside.h"
#include "encoders/ids/event_sums.h"
#include "encoders/ids/id_run.h"
#include "encoders/ids/id_tables.h"
#include "encoders/ids/id_threads.h"
#include "encoders/ids/site_numbers.h"
#include "shadowstack/lazy_array.h"
#include "shadowstack/memory_source.h"

namespace copse::context_id {

class ContextIds {
 public:
  // `most_bytes`: about what the tables may take. Throws std::bad_alloc without memory to start
  // with.
  ContextIds(std::unique_ptr<encoders::CodeNumbering> numbering, std::uint64_t most_bytes);
  static std::unique_ptr<encoders::CodeNumbering> hashes() noexcept { return nullptr; }

  // What a method's probes are told (probes/context_id_probes.h). Nothing when the
  // numbers are used up.
  std::optional<std::int64_t> place(MethodId method, std::uint32_t sites);
  std::int64_t site(MethodId caller, SiteOrdinal site) const noexcept;
  // Whether place() gave the method one: a frame without it keeps no word.
  bool has_place(MethodId method) const { return numbers_.has(method); }

  shadowstack::ThreadRecorder& threads() noexcept { return threads_; }
  // Null for hashes.
  IdTables* tables() noexcept { return tables_.get(); }
  const IdTables* tables() const noexcept { return tables_.get(); }

  // Methods without probes because place() had no numbers left.
  std::uint64_t methods_without_place() const noexcept { return without_place_.load(); }

  // The word of a frame whose thread has this header: lost where threads share it.
  std::uint64_t frame_word(const shadowstack::ThreadHeader* header,
                           std::uint64_t frame) const noexcept {
    return threads_.frame_word(header, frame);
  }
  // The word of a frame that has no context.
  std::uint64_t lost_word() const noexcept { return threads_.lost_word(); }
  // A number for the context of a frame's word; 0 when it has none. Cost: some ten ns.
  std::uint64_t id_of(std::uint64_t frame) const;
  // What copse.Context.id() gives for it: of no other run, as far as ids decode.
  std::uint64_t public_id_of(std::uint64_t frame) const;
  // Its context. Not of hashes.
  Result<CallPath> decode_public(std::uint64_t id) const;

  // Returns all that decodes the public ids given out so far, but for the names (id_file.h). REQUIRES:
  // ids are no hashes.
  wire::SectionWriter id_file() const { return tables_->id_file(key_); }

  // Keeps in `memory`, from now on, all that a reader needs if the process is killed (id_run.h).
  // `outside`: the methods that stand for places outside any context. False if there is no room; then
  // nothing is kept. REQUIRES: there was no thread, call or event yet; `memory` outlives this.
  bool keep_in(shadowstack::MemorySource& memory, const events::OutsideMethods& outside);

  using EventKind = copse::events::EventKind;

  // Where events are appended beside being summed. Set before the first one.
  void keep_events(events::EventLog* log) noexcept { log_ = log; }

  // Whether a word stands outside any recorded context.
  bool is_outside(std::uint64_t word) const noexcept { return outside_at(word).has_value(); }
  // The call site at which a word stands in its frame's method; kNoSite: none, or nobody knows.
  SiteOrdinal site_of(std::uint64_t word) const;

  // An event of interest where a word stands, or several; `thread` null: nobody knows whose. Cost:
  // some ten ns, under locks. An event at ROOT is outside any recorded context, one that has no id
  // elsewhere, or no memory, is lost.
  void add_event(EventKind kind, std::uint64_t word, EventAmount amount = {},
                 events::EventThread* thread = nullptr) noexcept;
  void add_event_outside(EventKind kind, events::Outside where, EventAmount amount,
                         events::EventThread* thread) noexcept;
  // Events that are known to have been, and no more.
  void lose_events(EventKind kind, EventAmount amount) noexcept;
  // Returns when no event is being added; those to come are not part of the run.
  void end_events() noexcept;
  // Gives no further context an id. id_file() is final then.
  void end_ids();

  using Events = RecordedEvents;
  using EventSum = context_id::EventSum;
  Events events(EventKind kind) const { return sums_->of(kind); }

 private:
  const RunKey key_ = RunKey::at_random();
  SiteNumbers numbers_;
  std::atomic<std::uint64_t> without_place_{0};
  std::unique_ptr<IdTables> tables_;
  IdThreads threads_;

  std::optional<events::Outside> outside_at(std::uint64_t word) const noexcept;
  void add(EventKind kind, std::uint64_t id, std::optional<events::Outside> outside,
           SiteOrdinal site, EventAmount amount, events::EventThread* thread) noexcept;

  events::EventLog* log_ = nullptr;
  std::shared_mutex end_mutex_;  // shared while an event is added
  bool events_ended_ = false;    // under it

  IdRun own_run_{};                                          // where nothing is kept
  std::unique_ptr<shadowstack::LazyArray<IdRun>> kept_run_;  // nullptr: nothing is
  std::unique_ptr<EventSums> sums_;
};

}  // namespace copse::context_id
