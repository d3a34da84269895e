#include "encoders/ids/event_sums.h"

#include <algorithm>
#include <new>

#include "shadowstack/in_this_order.h"

namespace copse::ids {
namespace {

using shadowstack::in_this_order;

constexpr std::size_t kMostRows = std::size_t{1} << 28;

void add_row_in_front(const EventRow& row, std::size_t place, RecordedEvents& events) {
  events.seen += row.count;
  if (place < events::kOutsidePlaces) {
    events.outside[place] = {0, row.count, row.weight};
  } else {
    events.lost = row.count;
    events.lost_weight = row.weight;
  }
}

void add_row(const EventRow& row, RecordedEvents& events) {
  events.seen += row.count;
  events.sums.push_back({row.id, row.count, row.weight});
}

void sort_by_id(RecordedEvents& events) {
  std::sort(events.sums.begin(), events.sums.end(),
            [](const EventSum& a, const EventSum& b) { return a.id < b.id; });
}

}  // namespace

EventSums::EventSums(shadowstack::MemorySource& memory, IdRun& run)
    : run_(run), rows_(memory, kMostRows) {
  constexpr std::size_t kInFront = events::kEventKinds * kRowsInFront;
  if (!rows_.ensure(kInFront)) throw std::bad_alloc();
  for (std::size_t row = 0; row < kInFront; ++row) {
    rows_.data()[row] = {0, row / kRowsInFront, 0, 0};
  }
  run_.sums = {reinterpret_cast<std::uint64_t>(rows_.data()), kInFront};
}

void EventSums::add(events::EventKind kind, std::uint64_t id,
                    std::optional<events::Outside> outside, EventAmount amount) noexcept {
  const std::lock_guard lock(mutex_);
  const std::size_t in_front = static_cast<std::size_t>(kind) * kRowsInFront;
  if (outside) return add_to(in_front + static_cast<std::size_t>(*outside), amount);
  if (id != 0) {
    try {
      if (const std::optional<std::uint64_t> row = row_of(kind, id)) return add_to(*row, amount);
    } catch (const std::bad_alloc&) {
      // Lost, as where there is no room for a row.
    }
  }
  add_to(in_front + events::kOutsidePlaces, amount);
}

// Nothing when there is no room. Throws std::bad_alloc.
std::optional<std::uint64_t> EventSums::row_of(events::EventKind kind, std::uint64_t id) {
  FlatMap<std::uint64_t, std::uint64_t>& row_by_id = row_by_id_[static_cast<std::size_t>(kind)];
  if (const std::uint64_t* known = row_by_id.find(id)) return *known;
  const std::uint64_t row = run_.sums.rows;
  if (!rows_.ensure(row + 1)) return std::nullopt;
  row_by_id[id] = row;
  rows_.data()[row] = {id, static_cast<std::uint64_t>(kind), 0, 0};
  in_this_order();
  run_.sums.rows = row + 1;
  return row;
}

void EventSums::add_to(std::uint64_t row, EventAmount amount) noexcept {
  EventRow& sum = rows_.data()[row];
  if (amount.weight == 0) {
    sum.count += amount.count;  // one store, which is there or is not
    return;
  }
  IdRun::Adding& note = run_.adding;
  note.row = row;
  note.count = sum.count + amount.count;
  note.weight = sum.weight + amount.weight;
  in_this_order();
  note.adding = 1;
  in_this_order();
  sum.count = note.count;
  sum.weight = note.weight;
  in_this_order();
  note.adding = 0;
}

RecordedEvents EventSums::of(events::EventKind kind) const {
  const std::lock_guard lock(mutex_);
  RecordedEvents events;
  const std::size_t in_front = static_cast<std::size_t>(kind) * kRowsInFront;
  for (std::size_t row = in_front; row < in_front + kRowsInFront; ++row) {
    add_row_in_front(rows_.data()[row], row % kRowsInFront, events);
  }
  row_by_id_[static_cast<std::size_t>(kind)].for_each(
      [&](std::uint64_t, std::uint64_t row) { add_row(rows_.data()[row], events); });
  sort_by_id(events);
  return events;
}

std::array<RecordedEvents, events::kEventKinds> recorded_events(std::span<const EventRow> rows) {
  std::array<RecordedEvents, events::kEventKinds> kinds;
  for (std::size_t row = 0; row < rows.size(); ++row) {
    if (rows[row].kind >= events::kEventKinds) continue;
    RecordedEvents& events = kinds[rows[row].kind];
    if (row < events::kEventKinds * kRowsInFront) {
      add_row_in_front(rows[row], row % kRowsInFront, events);
    } else {
      add_row(rows[row], events);
    }
  }
  for (RecordedEvents& events : kinds) sort_by_id(events);
  return kinds;
}

}  // namespace copse::ids
