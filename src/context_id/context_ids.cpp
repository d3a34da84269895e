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

std::optional<ContextIds::Scheme> ContextIds::scheme_named(std::string_view name) noexcept {
  if (name == "segment") return Scheme::kSegment;
  if (name == "pcc") return Scheme::kPcc;
  return std::nullopt;
}

ContextIds::ContextIds(Scheme scheme, std::uint64_t most_bytes)
    : scheme_(scheme), threads_(anonymous_memory(), scheme == Scheme::kPcc ? 0 : kLostNumber) {
  if (scheme == Scheme::kSegment) {
    tables_ = std::make_unique<IdTables>(anonymous_memory(), numbers_, most_bytes);
  }
}

std::optional<std::int64_t> ContextIds::place(MethodId method, std::uint32_t sites) {
  if (scheme_ == Scheme::kPcc) return static_cast<std::int64_t>(pcc_constant(method, kNoSite));
  const std::optional<std::uint32_t> first = numbers_.first_of(method, sites);
  if (!first) without_place_.fetch_add(1, std::memory_order_relaxed);
  return first;
}

std::int64_t ContextIds::site(MethodId caller, SiteOrdinal site) const noexcept {
  if (scheme_ == Scheme::kSegment) return raw(site);
  return static_cast<std::int64_t>(pcc_constant(caller, site) - pcc_constant(caller, kNoSite));
}

std::uint64_t ContextIds::id_of(std::uint64_t frame) const {
  return tables_ == nullptr ? frame : tables_->id_of(frame);
}

void ContextIds::add_event(std::uint64_t frame) noexcept {
  const std::uint64_t id = id_of(frame);
  const std::lock_guard lock(events_mutex_);
  ++events_seen_;
  if (id == 0) {
    ++events_lost_;
    return;
  }
  try {
    ++sums_[id];
  } catch (const std::bad_alloc&) {
    ++events_lost_;
  }
}

ContextIds::Events ContextIds::events() const {
  const std::lock_guard lock(events_mutex_);
  Events events;
  events.seen = events_seen_;
  events.lost = events_lost_;
  sums_.for_each([&](std::uint64_t id, std::uint64_t count) {
    events.sums.push_back({id, count});
  });
  std::sort(events.sums.begin(), events.sums.end(),
            [](const EventSum& a, const EventSum& b) { return a.id < b.id; });
  return events;
}

}  // namespace copse
