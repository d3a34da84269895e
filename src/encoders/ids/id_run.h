// Where everything of a run that keeps context ids lies, for a reader that has nothing but its memory
// (src/recover): the first object in that memory, updated in an order that is true at every instant at
// which the process may be killed.
//
//   journal   changes of the tables (id_journal.h): a change is counted when it is whole, and no id
//             that needs it is given out before
//   sums      events (event_sums.h): a row is counted when its id and kind are there. An event that
//             changes a row's two numbers is noted before it does:
//
//     note the row and its values after the event; `adding` = 1
//     change the row; `adding` = 0
//
//   A reader that finds `adding` gives the row the noted values.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "base/call_record.h"
#include "encoders/events/event_kind.h"
#include "encoders/events/outside.h"
#include "shadowstack/kept_thread_rows.h"

namespace copse::context_id {

// The events of one kind in one context. Rows in front are for events in no context: per kind one for
// each place outside, and one for those that are lost.
struct EventRow {
  std::uint64_t id;    // not hidden (run_key.h); 0 in front
  std::uint64_t kind;  // events::EventKind
  std::uint64_t count;
  std::uint64_t weight;
};
inline constexpr std::size_t kRowsInFront = events::kOutsidePlaces + 1;  // of each kind
static_assert(sizeof(EventRow) == 32 && std::is_trivially_copyable_v<EventRow>);

// `first_key` of a row of threads that is some thread's; no calls are counted.
inline constexpr ContextKey kThreadInUse = 1;

struct IdRun {
  static constexpr std::uint64_t kMagic = 0x316e'7572'7364'6920;  // " idsrun1"

  std::uint64_t magic;
  std::uint64_t key;  // of the run (run_key.h); 0 for hashes
  shadowstack::KeptThreads threads;

  struct Journal {
    std::uint64_t address;  // 0: of hashes, which have none
    std::uint64_t words;    // that are there
    std::uint64_t changes;  // and how many changes these are
    std::uint64_t lost;     // changes that had no room behind them
  } journal;
  std::uint64_t entries_lost;  // calls that were given no id

  struct Sums {
    std::uint64_t address;
    std::uint64_t rows;  // that are there
  } sums;
  struct Adding {
    std::uint64_t adding;
    std::uint64_t row;
    std::uint64_t count;
    std::uint64_t weight;
  } adding;

  // The methods that stand for places outside any context, by place; 0: none.
  std::array<std::uint32_t, events::kOutsidePlaces> outside;
};
static_assert(std::is_trivially_copyable_v<IdRun> && sizeof(IdRun) <= 4096);

}  // namespace copse::context_id
