#include "context_id/context_ids.h"

#include <algorithm>
#include <new>

#include "encoders/pcc.h"
#include "shadowstack/memory_source.h"

namespace copse {
namespace {

std::uint64_t pcc_constant(MethodId caller, SiteOrdinal site) {
  return encoders::site_constant(encoders::site_key(encoders::CallSite{caller, site}));
}

}  // namespace

std::optional<ContextIds::EventKind> ContextIds::event_named(std::string_view name) noexcept {
  if (name == "exception") return EventKind::kException;
  if (name == "allocation") return EventKind::kAllocation;
  if (name == "contention") return EventKind::kContention;
  return std::nullopt;
}

ContextIds::ContextIds(std::unique_ptr<CodeNumbering> numbering, std::uint64_t most_bytes)
    : threads_(anonymous_memory(), numbering == nullptr ? 0 : kLostNumber) {
  if (numbering == nullptr) return;
  tables_ =
      std::make_unique<IdTables>(anonymous_memory(), numbers_, most_bytes, std::move(numbering));
}

std::optional<std::int64_t> ContextIds::place(MethodId method, std::uint32_t sites) {
  if (tables_ == nullptr) return static_cast<std::int64_t>(pcc_constant(method, kNoSite));
  const std::optional<std::uint32_t> first = numbers_.first_of(method, sites);
  if (!first) without_place_.fetch_add(1, std::memory_order_relaxed);
  return first;
}

std::int64_t ContextIds::site(MethodId caller, SiteOrdinal site) const noexcept {
  if (tables_ != nullptr) return raw(site);
  return static_cast<std::int64_t>(pcc_constant(caller, site) - pcc_constant(caller, kNoSite));
}

std::uint64_t ContextIds::id_of(std::uint64_t frame) const {
  return tables_ == nullptr ? frame : tables_->id_of(frame);
}

std::uint64_t ContextIds::public_id_of(std::uint64_t frame) const {
  return tables_ == nullptr ? frame : key_.hide(tables_->id_of(frame));
}

void ContextIds::add_event(EventKind kind, std::uint64_t word, std::uint64_t weight) noexcept {
  const std::uint64_t id = id_of(word);
  const std::lock_guard lock(events_mutex_);
  Kind& events = events_[static_cast<std::size_t>(kind)];
  ++events.seen;
  if (id != 0) {
    try {
      Sum& sum = events.sums[id];
      ++sum.count;
      sum.weight += weight;
      return;
    } catch (const std::bad_alloc&) {
      // Lost, as below.
    }
  }
  ++events.lost;
  events.lost_weight += weight;
}

ContextIds::Events ContextIds::events(EventKind kind) const {
  const std::lock_guard lock(events_mutex_);
  const Kind& kept = events_[static_cast<std::size_t>(kind)];
  Events events{{}, kept.seen, kept.lost, kept.lost_weight};
  kept.sums.for_each([&](std::uint64_t id, const Sum& sum) {
    events.sums.push_back({id, sum.count, sum.weight});
  });
  std::sort(events.sums.begin(), events.sums.end(),
            [](const EventSum& a, const EventSum& b) { return a.id < b.id; });
  return events;
}

}  // namespace copse
