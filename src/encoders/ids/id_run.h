// Directory of a run that keeps context ids, for a reader that has only the run's memory (src/recover). It is the first
// object in that memory, and its updates are ordered so that it is correct at every instant at which the process may be
// killed.
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
//
//   origins   of threads (thread_origins.h): a row is counted when it is there
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "base/call_record.h"
#include "encoders/events/event_kind.h"
#include "encoders/events/outside.h"
#include "shadowstack/kept_thread_rows.h"

namespace copse::ids {

// Events of one kind in one context. The rows in front are for events without a context: per kind, one for each place
// outside, and one for lost events.
struct EventRow {
  std::uint64_t id;    // not hidden (run_key.h); 0 in front
  std::uint64_t kind;  // events::EventKind
  std::uint64_t count;
  std::uint64_t weight;
};
inline constexpr std::size_t kRowsInFront = events::kOutsidePlaces + 1;  // of each kind
static_assert(sizeof(EventRow) == 32 && std::is_trivially_copyable_v<EventRow>);

// `first_key` of a row that a thread uses; no calls are counted.
inline constexpr ContextKey kThreadInUse = 1;

struct IdRun {
  static constexpr std::uint64_t kMagic = 0x316e'7572'7364'6920;  // " idsrun1"

  std::uint64_t magic;
  std::uint64_t key;  // of the run (run_key.h); 0 for hashes
  shadowstack::KeptThreads threads;

  struct Journal {
    std::uint64_t address;  // 0 for hashes, which have no journal
    std::uint64_t words;    // words written
    std::uint64_t changes;  // changes in these words
    std::uint64_t lost;     // changes for which there was no room
  } journal;
  std::uint64_t entries_lost;  // calls without an id

  struct Sums {
    std::uint64_t address;
    std::uint64_t rows;  // rows written
  } sums;
  struct Adding {
    std::uint64_t adding;
    std::uint64_t row;
    std::uint64_t count;
    std::uint64_t weight;
  } adding;

  // By place: the method that stands for it; 0 means none.
  std::array<std::uint32_t, events::kOutsidePlaces> outside;

  struct Origins {
    std::uint64_t address;  // 0: none are kept
    std::uint64_t rows;     // rows written
  } origins;
};
static_assert(std::is_trivially_copyable_v<IdRun> && sizeof(IdRun) <= 4096);

}  // namespace copse::ids
