#include "agent/jvm/measures/tree_measures.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <utility>

#include "agent/jvm/measures/allocation_natives.h"
#include "encoders/events/outside.h"

namespace copse::jvm {

using events::EventKind;

namespace {

struct EventMeasure {
  std::string_view name;  // of the option
  EventKind kind;
};
// In the order of the report.
constexpr std::array kEventMeasures = {EventMeasure{"cpu", EventKind::kCpu},
                                       EventMeasure{"alloc", EventKind::kAllocation},
                                       EventMeasure{"alloc=exact", EventKind::kExactAllocation},
                                       EventMeasure{"exceptions", EventKind::kException},
                                       EventMeasure{"locks", EventKind::kContention}};

// Times are kept in microseconds: a context has room for 2^50 of them (cct.h).
constexpr std::uint64_t kNsPerUnit = 1'000;

}  // namespace

TreeMeasures::TreeMeasures(const Run& run, std::function<void()> has_new_name)
    : run_(run), objects_(run.jvmti, run.jvm.methods, std::move(has_new_name)) {
  for (const auto& [name, kind] : kEventMeasures) {
    if (agent::measures(run.options, name)) add_columns(kind);
  }
  add_wall_columns();
  if (!any()) return;
  const auto stand_in = [&run](events::Outside place) {
    return run.jvm.methods.stand_in(events::outside_name(place));
  };
  if (run.attached && counts(EventKind::kException)) throws_.emplace(run, *this);
  no_recorded_caller_ = stand_in(events::Outside::kNoRecordedCaller);
  if (counts(EventKind::kExactAllocation)) {
    const auto add = [this](const shadowstack::ThreadHeader& header,
                            const TreeAllocations::InFrame& made) {
      const MethodId object = object_of_type(made.type);
      const std::size_t column = columns_of(EventKind::kExactAllocation)->first;
      const std::array amounts = {cct::ColumnAmount{column, made.bytes},
                                  cct::ColumnAmount{column + 1, made.count}};
      contexts_->add(header, made.place, amounts, object);
    };
    const auto& tree = std::get<agent::TreeOptions>(run.options.mode);
    const bool in_place = tree.engine == agent::EngineKind::kInline;
    allocations_.emplace(run.jvm, in_place ? 0 : tree.packet_slots * sizeof(CallRecord), add);
  }
  if (!counts(EventKind::kCpu)) return;
  other_threads_ = stand_in(events::Outside::kOtherThreads);
  time_.emplace(run);
}

// Names are long to make and to find, and a thread's table has many rows of few types.
MethodId TreeMeasures::object_of_type(std::int32_t type) {
  const std::lock_guard lock(objects_by_type_mutex_);
  if (const auto known = objects_by_type_.find(type); known != objects_by_type_.end()) {
    return known->second;
  }
  const MethodId object = objects_.allocated(allocations_->types().name_of(type));
  objects_by_type_.emplace(type, object);
  return object;
}

void TreeMeasures::add_columns(EventKind kind) {
  const events::EventKindInfo& info = events::info_of(kind);
  const std::uint64_t scale = info.weight_unit == "ns" ? kNsPerUnit : 1;
  kinds_.emplace_back(kind, columns_.size(), !info.weight.empty(), scale);
  if (!info.weight.empty()) columns_.push_back({info.weight, info.weight_unit, scale});
  columns_.push_back({info.count, "events"});
  if (kind != EventKind::kCpu) return;
  for (const CodePart& part : kCodeParts) {
    if (!ProcessorTime::is_asked_for(part, run_.options)) continue;
    const events::EventKindInfo& info_of_part = events::info_of(part.kind);
    code_columns_.push_back({.part = part, .first = columns_.size()});
    columns_.push_back({info_of_part.weight, info_of_part.weight_unit, kNsPerUnit});
    columns_.push_back({info_of_part.count, "events"});
  }
}

void TreeMeasures::add_wall_columns() {
  const bool all = agent::measures(run_.options, "wall");
  if (!all && !agent::measures(run_.options, "locks")) return;
  wall_.emplace();
  const auto add_pair = [this](std::string_view time, std::string_view samples) {
    columns_.push_back({time, "ns", kNsPerUnit});
    columns_.push_back({samples, "events"});
    return columns_.size() - 2;
  };
  if (all) wall_->all = add_pair(events::kWallColumn, events::kWallSamplesColumn);
  for (std::size_t state = 0; state < WallClock::kStateCount; ++state) {
    if (!all && state != WallClock::kParked) continue;
    wall_->of_state[state] =
        add_pair(events::kStateColumns[state], events::kStateSamplesColumns[state]);
  }
}

const TreeMeasures::Columns* TreeMeasures::columns_of(EventKind kind) const noexcept {
  const auto found = std::find_if(kinds_.begin(), kinds_.end(),
                                  [kind](const Columns& columns) { return columns.kind == kind; });
  return found == kinds_.end() ? nullptr : &*found;
}

TreeMeasures::Columns* TreeMeasures::columns_of(EventKind kind) noexcept {
  return const_cast<Columns*>(std::as_const(*this).columns_of(kind));
}

std::vector<EventKind> TreeMeasures::event_kinds() const {
  std::vector<EventKind> kinds;
  for (const Columns& columns : kinds_) {
    if (columns.kind != EventKind::kException || !throws_) kinds.push_back(columns.kind);
  }
  return kinds;
}

Status TreeMeasures::start(JNIEnv* jni, shadowstack::ThreadRecorder& threads,
                           cct::MeasuredThreads& contexts) {
  threads_ = allocations_ ? &allocations_->before(threads) : &threads;
  contexts_ = &contexts;
  if (Status status = start_allocations(jni); !status) return status;
  if (!any()) return {};
  MethodTable& methods = run_.jvm.methods;
  contexts.measure({.columns = columns_,
                    .outside = context_key(kNoSite, no_recorded_caller_),
                    .is_leaf_of = [&methods](MethodId caller, SiteOrdinal site, MethodId callee) {
                      return methods.is_leaf_of(caller, site, callee);
                    }});
  if (wall_) {
    wall_contexts_ = std::make_unique<WallContexts>(run_, contexts, objects_, *wall_, kNsPerUnit);
    wall_clock_ = std::make_unique<WallClock>(run_, *wall_contexts_);
  }
  before_places_go();
  return time_ ? start_time(jni) : Status();
}

// Also where none are counted: frames of an earlier recording may still count theirs.
Status TreeMeasures::start_allocations(JNIEnv* jni) {
  if (!allocations_)
    return jvm::start_allocations(run_.jvm.runtime, run_.jvmti, jni, nullptr, nullptr);
  return jvm::start_allocations(run_.jvm.runtime, run_.jvmti, jni, &allocations_->counts(),
                                &allocations_->types(), allocations_->packet_bytes());
}

Status TreeMeasures::start_time(JNIEnv* jni) {
  return time_->start(jni, [this](const sampling::Sample& sample, std::uint64_t ns, CodeKind code) {
    add_sample(sample, ns, code);
  });
}

void TreeMeasures::add_sample(const sampling::Sample& sample, std::uint64_t ns,
                              CodeKind code) noexcept {
  add_at(EventKind::kCpu, sample.header, sample.place, ns, kNoMethod);
  for (const CodeColumns& columns : code_columns_) {
    if (!columns.part.has(code)) continue;
    const std::array amounts = {cct::ColumnAmount{columns.first, ns / kNsPerUnit},
                                cct::ColumnAmount{columns.first + 1, 1}};
    contexts_->add(*sample.header, sample.place, amounts);
  }
}

void TreeMeasures::before_places_go() {
  if (!time_ && !allocations_) return;
  contexts_->before_places_go([this](const shadowstack::ThreadHeader& header) {
    if (timers() != nullptr) time_->drain_for(header);
    if (allocations_) allocations_->collect(header);
  });
}

Status TreeMeasures::start_counting(JNIEnv* jni) {
  if (wall_clock_ != nullptr) {
    if (Status status = wall_clock_->start(jni); !status) return status;
  }
  if (allocations_) {
    if (Status status = allocations_->start(); !status) return status;
  }
  if (throws_) throws_->start(jni);
  return time_ ? time_->start_counting(jni) : Status();
}

void TreeMeasures::add(EventKind kind, std::uint64_t word, shadowstack::ThreadHeader* header,
                       std::uint64_t weight, MethodId object) {
  const shadowstack::ThreadPlace place =
      header == nullptr ? shadowstack::ThreadPlace() : shadowstack::place_of(*header, word);
  add_at(kind, header, place, weight, object);
}

void TreeMeasures::add_at(EventKind kind, const shadowstack::ThreadHeader* header,
                          const shadowstack::ThreadPlace& place, std::uint64_t weight,
                          MethodId object) noexcept {
  Columns& columns = *columns_of(kind);
  std::array<cct::ColumnAmount, 2> room;
  std::size_t count = 0;
  if (columns.has_weight) {
    // The remainder below one unit is carried to the next event, so that the sum is right.
    const std::uint64_t before = columns.weight.fetch_add(weight, std::memory_order_relaxed);
    const std::uint64_t amount = (before + weight) / columns.scale - before / columns.scale;
    if (amount != 0) room[count++] = {columns.first, amount};
  }
  room[count++] = {columns.counted(), 1};
  const std::span<const cct::ColumnAmount> amounts(room.data(), count);
  if (header != nullptr) {
    contexts_->add(*header, place, amounts, object);
  } else {
    contexts_->measured().add_below({}, amounts, object);
  }
}

void TreeMeasures::lose(EventKind kind) noexcept {
  const cct::ColumnAmount one{columns_of(kind)->counted(), 1};
  contexts_->measured().add_lost({&one, 1});
}

std::uint64_t TreeMeasures::word_in(MethodId callee, std::uint64_t word,
                                    shadowstack::ThreadHeader& header) {
  return contexts_->word_in(header, word, callee);
}

void TreeMeasures::detach(shadowstack::ThreadHeader* header) noexcept {
  if (timers() != nullptr) time_->end(*header);
  if (throws_) throws_->forget(*header);
  threads_->detach(header);
}

void TreeMeasures::close() noexcept {
  if (wall_clock_ != nullptr) wall_clock_->stop();
  if (allocations_) allocations_->stop();
  if (throws_) throws_->stop();
  if (timers() != nullptr) {
    time_->stop();
    const auto add_others = [this](std::size_t column) {
      const ContextKey others = context_key(kNoSite, other_threads_);
      contexts_->measured().add(column, {&others, 1}, time_->other_threads_ns() / kNsPerUnit);
    };
    add_others(columns_of(EventKind::kCpu)->first);
    for (const CodeColumns& columns : code_columns_) {
      if (columns.part.has_unsampled) add_others(columns.first);
    }
  }
  threads_->close();
}

// Divides the time of the threads' clocks among all their samples. The samples of a short while got the time
// used in it, which is less even, and lacks the time used after the last sample.
void TreeMeasures::weigh_samples(Measured& time, Measured& samples) const {
  const sampling::CpuTimers::Totals totals = time_->totals();
  samples.lost += totals.lost;
  const std::uint64_t seen =
      std::accumulate(samples.values.begin(), samples.values.end(), samples.lost);
  if (seen == 0) {
    time.lost = totals.processor_ns;
    return;
  }
  const double weight = static_cast<double>(totals.processor_ns) / static_cast<double>(seen);
  std::uint64_t so_far = 0, given = 0;
  const auto next = [&](std::uint64_t count) {
    so_far += count;
    const auto up_to = static_cast<std::uint64_t>(weight * static_cast<double>(so_far));
    return up_to - std::exchange(given, up_to);
  };
  for (std::size_t node = 0; node < samples.values.size(); ++node) {
    if (samples.values[node] != 0) time.values[node] = next(samples.values[node]);
  }
  time.lost = next(samples.lost);
}

// A sample of a part weighs as much as any of its context. What found no room is not known to be of
// it; it may have been found for one of the two columns alone.
void TreeMeasures::weigh_part(const Measured& time, const Measured& samples, Measured& ns,
                              Measured& counted) {
  for (std::size_t node = 0; node < counted.values.size(); ++node) {
    const std::uint64_t of_part = std::min(counted.values[node], samples.values[node]);
    if (of_part == 0) continue;
    const double share = static_cast<double>(of_part) / static_cast<double>(samples.values[node]);
    ns.values[node] = static_cast<std::uint64_t>(share * static_cast<double>(time.values[node]));
  }
  ns.lost = time.lost;
  counted.lost = samples.lost;
}

std::vector<report::ProgramTables::Measure> TreeMeasures::measures(
    std::vector<cct::MeasuredColumn> columns) const {
  std::vector<Measured> measures;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const cct::MeasureName& column = columns_[i];
    for (std::uint64_t& amount : columns[i].amounts) amount *= column.scale;
    measures.push_back({std::string(column.name), std::string(column.unit),
                        columns[i].lost * column.scale, std::move(columns[i].amounts)});
  }
  if (const Columns* const cpu = columns_of(EventKind::kCpu); cpu != nullptr && !measures.empty()) {
    Measured& time = measures[cpu->first];
    Measured& samples = measures[cpu->first + 1];
    weigh_samples(time, samples);
    for (const CodeColumns& of_part : code_columns_) {
      weigh_part(time, samples, measures[of_part.first], measures[of_part.first + 1]);
    }
  }
  return measures;
}

std::vector<std::string> TreeMeasures::notes() const {
  std::vector<std::string> notes;
  if (wall_clock_ != nullptr) {
    notes.push_back(wall_clock_->note(wall_->all ? "Time by the wall clock" : "Time parked"));
  }
  if (throws_) notes.push_back(throws_->note());
  if (agent::takes_default_measures(run_.options)) {
    notes.push_back(
        "Processor time was not measured: with this garbage collector it makes probes slower, or "
        "every real-time signal has a handler. --measure cpu asks for it.");
  }
  if (!time_) return notes;
  const std::vector<std::string> of_time = time_->notes();
  notes.insert(notes.end(), of_time.begin(), of_time.end());
  return notes;
}

}  // namespace copse::jvm
