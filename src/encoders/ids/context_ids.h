// A run that keeps a context id in every thread: the data for its probes, and the results of its events.
//
// With a numbering (encoders/numbering/numbering.h) every id decodes to its context. Without one, ids are hash values
// (Bond and McKinley, OOPSLA 2007: pcc), which distinguish contexts only.
//
// Thread-safe. Locks: those of the parts and of origins, never two at once. An event delays the end of the run until it is counted.
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
#include "encoders/events/id_contexts.h"
#include "encoders/events/outside.h"
#include "encoders/ids/event_sums.h"
#include "encoders/ids/id_run.h"
#include "encoders/ids/id_tables.h"
#include "encoders/ids/id_threads.h"
#include "encoders/ids/site_numbers.h"
#include "encoders/ids/thread_origins.h"
#include "shadowstack/inlined_calls.h"
#include "shadowstack/lazy_array.h"
#include "shadowstack/memory_source.h"

namespace copse::ids {

class ContextIds {
 public:
  // `most_bytes`: approximate limit of the tables. Throws std::bad_alloc without memory to start with.
  ContextIds(std::unique_ptr<encoders::CodeNumbering> numbering, std::uint64_t most_bytes);
  static std::unique_ptr<encoders::CodeNumbering> hashes() noexcept { return nullptr; }

  // Returns the constant for a method's probes (probes/context_id_probes.h); std::nullopt if no numbers are left.
  std::optional<std::int64_t> place(MethodId method, std::uint32_t sites);
  std::int64_t site(MethodId caller, SiteOrdinal site) const noexcept;
  // Returns true if place() gave the method numbers; a frame of another method keeps no word.
  bool has_place(MethodId method) const { return numbers_.has(method); }

  shadowstack::ThreadRecorder& threads() noexcept { return threads_; }
  // Returns nullptr for hashes.
  IdTables* tables() noexcept { return tables_.get(); }
  const IdTables* tables() const noexcept { return tables_.get(); }

  // Number of methods without probes because place() had no numbers left.
  std::uint64_t methods_without_place() const noexcept { return without_place_.load(); }

  // Returns the word of a frame whose thread has this header: the lost word if threads share the header.
  std::uint64_t frame_word(const shadowstack::ThreadHeader* header,
                           std::uint64_t frame) const noexcept {
    return threads_.frame_word(header, frame);
  }
  // Returns the word of a frame of `callee` that a frame of `word` calls; `word` for hashes. Thread-safe.
  std::uint64_t word_in(MethodId callee, std::uint64_t word);
  // Returns the word of the context in which a thread runs `code`. `word`: the thread's. Returns `word` if `code` does
  // not tell, and for hashes. Throws std::bad_alloc. Cost: a step of a decode for each of the frames that a compiler may
  // have inlined.
  std::uint64_t corrected(std::uint64_t word, const shadowstack::CodePlace& code);
  // Word of a frame that has no context.
  std::uint64_t lost_word() const noexcept { return threads_.lost_word(); }
  // Returns a number for the context of a frame's word; 0 if it has none. Cost: some ten ns.
  std::uint64_t id_of(std::uint64_t frame) const;
  // Same, and lets a numbering that adapts to the program see the id.
  std::uint64_t collected_id_of(std::uint64_t frame) const;
  // Returns the result of copse.Context.id(). Ids of other runs differ, if ids decode.
  std::uint64_t public_id_of(std::uint64_t frame) const;
  // Returns the number of a public id's context, and the steps by which numbers decode. REQUIRES: ids are no hashes.
  std::uint64_t number_of_public(std::uint64_t id) const noexcept { return key_.reveal(id); }
  events::IdSteps steps() const;

  // Keeps the context in which a thread is started: the origin that thread_origins.h describes, of `thread`, by
  // `starter`, which stands at `word`. REQUIRES: ids are no hashes.
  void keep_origin(std::int64_t thread, std::int64_t starter, std::uint64_t word) noexcept;
  std::optional<ThreadOrigin> origin_of(std::int64_t thread) const noexcept;
  // Number of threads without an origin because too many were started, or for lack of memory.
  std::uint64_t origins_not_kept() const noexcept;

  // Returns all data that decodes the public ids given out so far, except for the names (id_file.h). REQUIRES: ids are
  // no hashes.
  wire::SectionWriter id_file() const;

  // Keeps in `memory`, from now on, all data that a reader needs if the process is killed (id_run.h). `outside`:
  // methods that stand for places outside any context. Returns false if there is no room; then nothing is kept.
  // REQUIRES: there was no thread, call or event yet; `memory` outlives this object.
  bool keep_in(shadowstack::MemorySource& memory, const events::OutsideMethods& outside);

  using EventKind = copse::events::EventKind;

  // Sets the log to which events are appended in addition to the sums. REQUIRES: called before the first event.
  void keep_events(events::EventLog* log) noexcept { log_ = log; }

  // Returns true if a word stands outside any recorded context.
  bool is_outside(std::uint64_t word) const noexcept { return outside_at(word).has_value(); }
  // Returns the call site of a word in its frame's method; kNoSite if none or unknown.
  SiteOrdinal site_of(std::uint64_t word) const;

  // Adds one or several events of interest at a word. `thread`: nullptr if unknown. An event at ROOT counts as outside
  // any recorded context. Elsewhere, an event without an id, or without memory for it, is lost. Cost: some ten ns,
  // under locks.
  void add_event(EventKind kind, std::uint64_t word, EventAmount amount = {},
                 events::EventThread* thread = nullptr) noexcept;
  void add_event_outside(EventKind kind, events::Outside where, EventAmount amount,
                         events::EventThread* thread) noexcept;
  // Counts events that happened but about which nothing else is known.
  void lose_events(EventKind kind, EventAmount amount) noexcept;
  // Returns when no event is being added; later events are not part of the run.
  void end_events() noexcept;
  // Stops giving ids to further contexts. id_file() is then final.
  void end_ids();

  using Events = RecordedEvents;
  using EventSum = ids::EventSum;
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

  mutable std::mutex origins_mutex_;  // guards the three fields after it
  ThreadOrigins origins_;
  std::uint64_t origins_lost_ = 0;
  std::unique_ptr<shadowstack::LazyArray<ThreadOrigin>>
      kept_origins_;  // nullptr if nothing is kept

  events::EventLog* log_ = nullptr;
  std::shared_mutex end_mutex_;  // shared while an event is added
  bool events_ended_ = false;    // guarded by end_mutex_

  IdRun own_run_{};                                          // used if nothing is kept
  std::unique_ptr<shadowstack::LazyArray<IdRun>> kept_run_;  // nullptr if nothing is kept
  std::unique_ptr<EventSums> sums_;
};

}  // namespace copse::ids
