// Numbers and weights of events of interest by context: rows in memory that may outlive a killed
// process (id_run.h), found by id.
//
// Threads: any; one mutex.
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

namespace copse::context_id {

struct EventAmount {
  std::uint64_t weight = 0;  // the kind's own (bytes, ns), of all of them
  std::uint64_t count = 1;
};

struct EventSum {
  std::uint64_t id;
  std::uint64_t count;
  std::uint64_t weight;
};

// All events of a kind.
struct RecordedEvents {
  std::vector<EventSum> sums;                              // ascending by id
  std::array<EventSum, events::kOutsidePlaces> outside{};  // by place, without id
  std::uint64_t seen = 0;
  std::uint64_t lost = 0;         // of these: in none of the above
  std::uint64_t lost_weight = 0;  // of these
};

class EventSums {
 public:
  // `run` says where the rows are; nothing is there yet. Throws std::bad_alloc without memory to
  // start with.
  EventSums(shadowstack::MemorySource& memory, IdRun& run);

  // Adds events. `id` 0: no context. Without an id and a place outside, or without memory, they are
  // lost.
  void add(events::EventKind kind, std::uint64_t id, std::optional<events::Outside> outside,
           EventAmount amount) noexcept;

  RecordedEvents of(events::EventKind kind) const;

 private:
  std::optional<std::uint64_t> row_of(events::EventKind kind, std::uint64_t id);
  void add_to(std::uint64_t row, EventAmount amount) noexcept;

  mutable std::mutex mutex_;  // of the fields after it
  IdRun& run_;
  shadowstack::LazyArray<EventRow> rows_;
  std::array<FlatMap<std::uint64_t, std::uint64_t>, events::kEventKinds> row_by_id_;
};

// Returns the events of each kind by their rows, of which those in front come first.
std::array<RecordedEvents, events::kEventKinds> recorded_events(std::span<const EventRow> rows);

}  // namespace copse::context_id
