// Numbers and weights of events of interest by context: rows found by id, in memory that may outlive a killed process
// (id_run.h).
//
// Thread-safe; one mutex.
#pragma once

#include <array>
#include <cstdint>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include "base/flat_map.h"
#include "encoders/events/event_kind.h"
#include "encoders/events/outside.h"
#include "encoders/ids/id_run.h"
#include "shadowstack/lazy_array.h"
#include "shadowstack/memory_source.h"

namespace copse::ids {

struct EventAmount {
  std::uint64_t weight = 0;  // sum of the kind's weight (bytes, ns)
  std::uint64_t count = 1;
};

struct EventSum {
  std::uint64_t id;
  std::uint64_t count;
  std::uint64_t weight;
};

// All events of one kind.
struct RecordedEvents {
  std::vector<EventSum> sums;                              // ascending by id
  std::array<EventSum, events::kOutsidePlaces> outside{};  // by place; without id
  std::uint64_t seen = 0;
  std::uint64_t lost = 0;         // number of events in none of the above
  std::uint64_t lost_weight = 0;  // weight of the lost events
};

class EventSums {
 public:
  // `run` records where the rows are, and has none yet. Throws std::bad_alloc without memory to start with.
  EventSums(shadowstack::MemorySource& memory, IdRun& run);

  // Adds events. `id` 0: no context. Events with neither an id nor a place outside, and events without memory for a
  // row, are lost.
  void add(events::EventKind kind, std::uint64_t id, std::optional<events::Outside> outside,
           EventAmount amount) noexcept;

  RecordedEvents of(events::EventKind kind) const;

 private:
  std::optional<std::uint64_t> row_of(events::EventKind kind, std::uint64_t id);
  void add_to(std::uint64_t row, EventAmount amount) noexcept;

  mutable std::mutex mutex_;  // guards the fields after it
  IdRun& run_;
  shadowstack::LazyArray<EventRow> rows_;
  std::array<FlatMap<std::uint64_t, std::uint64_t>, events::kEventKinds> row_by_id_;
};

// Returns the events of each kind from their rows; the rows in front come first in `rows`.
std::array<RecordedEvents, events::kEventKinds> recorded_events(std::span<const EventRow> rows);

}  // namespace copse::ids
