#include "encoders/ids/context_ids.h"

#include <algorithm>
#include <new>
#include <utility>
#include <vector>

#include "encoders/ids/id_file.h"
#include "encoders/replay/pcc.h"
#include "shadowstack/in_this_order.h"
#include "shadowstack/memory_source.h"

namespace copse::ids {
namespace {

std::uint64_t pcc_constant(MethodId caller, SiteOrdinal site) {
  return encoders::site_constant(site_key(CallSite{caller, site}));
}

}  // namespace

ContextIds::ContextIds(std::unique_ptr<encoders::CodeNumbering> numbering, std::uint64_t most_bytes)
    : threads_(shadowstack::anonymous_memory(), numbering == nullptr ? 0 : kLostNumber),
      sums_(std::make_unique<EventSums>(shadowstack::anonymous_memory(), own_run_)) {
  if (numbering == nullptr) return;
  tables_ = std::make_unique<IdTables>(shadowstack::anonymous_memory(), numbers_, most_bytes,
                                       std::move(numbering));
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

std::uint64_t ContextIds::word_in(MethodId callee, std::uint64_t word) {
  if (tables_ == nullptr) return word;
  const std::optional<std::int64_t> callees = place(callee, 0);
  return callees ? tables_->enter(word, static_cast<std::uint32_t>(*callees)) : word;
}

std::uint64_t ContextIds::corrected(std::uint64_t word, const shadowstack::CodePlace& code) {
  if (is_outside(word) || tables_ == nullptr) return word;
  std::vector<ContextKey> frames;  // innermost first, as the ids
  std::vector<std::uint64_t> ids;
  for (std::uint64_t id = id_of(word); frames.size() < shadowstack::InlinedCalls::kMostFrames;) {
    const std::optional<encoders::LastCall> last = tables_->last_call(id);
    if (!last) break;
    frames.push_back(context_key(copse::site_of(last->edge).ordinal, callee_of(last->edge)));
    ids.push_back(std::exchange(id, last->caller));
  }
  std::ranges::reverse(frames);
  const auto correction = code.calls.correct(frames, site_of(word), code.chain);
  if (correction.left >= ids.size()) return word;
  const std::uint64_t frame = ids[correction.left];
  std::uint64_t at = (frame & ~encoders::kIdNumberMask) |
                     static_cast<std::uint64_t>(*place(encoders::id_method(frame), 0));
  for (const ContextKey call : correction.entered) {
    const MethodId callee = method_of(call);
    if (!numbers_.has(callee)) break;
    const auto number = static_cast<std::uint32_t>(*place(callee, 0));
    at = tables_->enter(at + raw(copse::site_of(call)), number);
  }
  return at;
}

std::uint64_t ContextIds::id_of(std::uint64_t frame) const {
  return tables_ == nullptr ? frame : tables_->id_of(frame);
}

SiteOrdinal ContextIds::site_of(std::uint64_t word) const {
  const std::uint64_t number = word & encoders::kIdNumberMask;
  if (tables_ == nullptr || number >= kLostNumber) return kNoSite;
  return numbers_.site(static_cast<std::uint32_t>(number)).ordinal;
}

std::uint64_t ContextIds::collected_id_of(std::uint64_t frame) const {
  const std::uint64_t id = id_of(frame);
  if (tables_ != nullptr) tables_->collect(id);
  return id;
}

std::uint64_t ContextIds::public_id_of(std::uint64_t frame) const {
  return tables_ == nullptr ? frame : key_.hide(collected_id_of(frame));
}

events::IdSteps ContextIds::steps() const {
  return {.last_call = [tables = tables_.get()](
                           std::uint64_t id) -> std::optional<events::IdSteps::LastCall> {
            const std::optional<encoders::LastCall> last = tables->last_call(id);
            if (!last) return std::nullopt;
            return events::IdSteps::LastCall{last->edge, last->caller};
          },
          .is_root = [tables = tables_.get()](std::uint64_t id) { return tables->is_root(id); }};
}

void ContextIds::keep_origin(std::int64_t thread, std::int64_t starter,
                             std::uint64_t word) noexcept {
  const std::uint64_t id = id_of(word);
  const ThreadOrigin origin{thread, starter, id, id == 0 ? kNoSite : site_of(word)};
  const std::lock_guard lock(origins_mutex_);
  try {
    if (!origins_.add(origin) || kept_origins_ == nullptr) return;
    IdRun::Origins& kept = kept_run_->data()->origins;
    if (!kept_origins_->ensure(kept.rows + 1)) return;
    kept_origins_->data()[kept.rows] = origin;
    shadowstack::in_this_order();
    ++kept.rows;
  } catch (const std::bad_alloc&) {
    ++origins_lost_;
  }
}

std::optional<ThreadOrigin> ContextIds::origin_of(std::int64_t thread) const noexcept {
  const std::lock_guard lock(origins_mutex_);
  const ThreadOrigin* const origin = origins_.origin_of(thread);
  return origin == nullptr ? std::nullopt : std::optional(*origin);
}

std::uint64_t ContextIds::origins_not_kept() const noexcept {
  const std::lock_guard lock(origins_mutex_);
  return origins_.not_kept() + origins_lost_;
}

// The origins first, so that the numbering has all of their ids.
wire::SectionWriter ContextIds::id_file() const {
  ThreadOrigins origins;
  {
    const std::lock_guard lock(origins_mutex_);
    origins = origins_;
  }
  wire::SectionWriter file = tables_->id_file(key_);
  add_threads(origins, file);
  return file;
}

// Hashes do not tell ROOT from a context that has none.
std::optional<events::Outside> ContextIds::outside_at(std::uint64_t word) const noexcept {
  if (tables_ == nullptr || (word & encoders::kIdNumberMask) >= kRootNumbers) return std::nullopt;
  return events::Outside::kNoRecordedCaller;
}

void ContextIds::add_event(EventKind kind, std::uint64_t word, EventAmount amount,
                           events::EventThread* thread) noexcept {
  const std::uint64_t id = collected_id_of(word);
  add(kind, id, outside_at(word), id == 0 ? kNoSite : site_of(word), amount, thread);
}

void ContextIds::add_event_outside(EventKind kind, events::Outside where, EventAmount amount,
                                   events::EventThread* thread) noexcept {
  add(kind, 0, where, kNoSite, amount, thread);
}

void ContextIds::lose_events(EventKind kind, EventAmount amount) noexcept {
  add(kind, 0, std::nullopt, kNoSite, amount, nullptr);
}

void ContextIds::add(EventKind kind, std::uint64_t id, std::optional<events::Outside> outside,
                     SiteOrdinal site, EventAmount amount, events::EventThread* thread) noexcept {
  const std::shared_lock not_the_end(end_mutex_);
  if (events_ended_) return;
  sums_->add(kind, id, outside, amount);
  if (log_ == nullptr) return;
  log_->add(thread, {.kind = kind,
                     .id = tables_ == nullptr ? id : key_.hide(id),
                     .site = site,
                     .count = amount.count,
                     .weight = amount.weight,
                     .outside = outside});
}

void ContextIds::end_events() noexcept {
  const std::lock_guard the_end(end_mutex_);
  events_ended_ = true;
}

void ContextIds::end_ids() {
  if (tables_ != nullptr) tables_->end();
}

bool ContextIds::keep_in(shadowstack::MemorySource& memory, const events::OutsideMethods& outside) {
  try {
    auto run = std::make_unique<shadowstack::LazyArray<IdRun>>(memory, 1);
    if (!run->ensure(1)) return false;
    // Its parts may use it from here on, whatever becomes of the rest.
    kept_run_ = std::move(run);
    IdRun& kept = *kept_run_->data();
    auto sums = std::make_unique<EventSums>(memory, kept);
    if (!threads_.keep_in(memory, kept.threads)) return false;
    if (tables_ != nullptr) {
      tables_->keep_journal(memory, kept);
      kept.key = key_.seed();
      const std::lock_guard lock(origins_mutex_);
      kept_origins_ =
          std::make_unique<shadowstack::LazyArray<ThreadOrigin>>(memory, ThreadOrigins::kMost);
      kept.origins.address = reinterpret_cast<std::uint64_t>(kept_origins_->data());
    }
    for (std::size_t place = 0; place < outside.size(); ++place) {
      kept.outside[place] = raw(outside[place]);
    }
    shadowstack::in_this_order();
    kept.magic = IdRun::kMagic;
    sums_ = std::move(sums);
    return true;
  } catch (const std::bad_alloc&) {
    return false;
  }
}

}  // namespace copse::ids
