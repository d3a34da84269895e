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

// Times are kept in microseconds: a context has room for 2^50 of them (cct.h).
constexpr std::uint64_t kNsPerUnit = 1'000;

using InSlices = cct::MeasureName::InSlices;

InSlices in_slices_of(EventKind kind) noexcept {
  switch (kind) {
    case EventKind::kException:
    case EventKind::kExactAllocation:
    case EventKind::kContention:
      return InSlices::kExact;
    case EventKind::kAllocation:
      return InSlices::kSampled;
    default:  // slices read the processor's clock
      return InSlices::kNo;
  }
}

}  // namespace

TreeMeasures::TreeMeasures(const Run& run, std::function<void()> has_new_name)
    : run_(run), objects_(run.jvmti, run.jvm.methods, std::move(has_new_name)) {
  for (const events::Measure& measure : events::kMeasures) {
    if (!agent::measures(run.options, measure.name)) continue;
    for (const EventKind kind : measure.kinds) {
      if (!events::is_state(kind)) add_columns(kind);
    }
  }
  add_wall_columns();
  if (!any()) return;
  const auto stand_in = [&run](events::Outside place) {
    return run.jvm.methods.stand_in(events::outside_name(place));
  };
  no_recorded_caller_ = stand_in(events::Outside::kNoRecordedCaller);
  if (counts(EventKind::kExactAllocation)) {
    make_allocations();
    active_.push_back(&*allocations_);
  }
  if (run.attached && counts(EventKind::kException)) {
    active_.push_back(&throws_.emplace(run, *this));
  }
  if (!counts(EventKind::kCpu)) return;
  other_threads_ = stand_in(events::Outside::kOtherThreads);
  std::ranges::transform(kJvmDuties, jvm_threads_.begin(),
                         [&run](std::string_view duty) { return run.jvm.methods.stand_in(duty); });
  active_.push_back(
      &time_.emplace(run, [this](EventKind kind, const sampling::Sample& sample,
                                 const shadowstack::CodePlace* code, std::uint64_t ns) {
        add_at(kind, sample.header, sample.place, ns, kNoMethod, code);
      }));
}

void TreeMeasures::make_allocations() {
  const auto add = [this](const shadowstack::ThreadHeader& header,
                          const TreeAllocations::InFrame& made) {
    const MethodId object = object_of_type(made.type);
    const std::size_t column = columns_of(EventKind::kExactAllocation)->first;
    const std::array amounts = {cct::ColumnAmount{column, made.bytes},
                                cct::ColumnAmount{column + 1, made.count}};
    contexts_->add(header, made.place, amounts, object);
  };
  const auto& tree = std::get<agent::TreeOptions>(run_.options.mode);
  const bool in_place = tree.engine == agent::EngineKind::kInline;
  allocations_.emplace(run_.jvm, in_place ? 0 : tree.packet_slots * sizeof(CallRecord), add);
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
  const InSlices in_slices = in_slices_of(kind);
  if (!info.weight.empty()) columns_.push_back({info.weight, info.weight_unit, scale, in_slices});
  columns_.push_back({info.count, "events", 1, in_slices});
}

void TreeMeasures::add_wall_columns() {
  const bool all = agent::measures(run_.options, "wall");
  if (!all && !agent::measures(run_.options, "locks")) return;
  wall_.emplace();
  const auto add_pair = [this](std::string_view time, std::string_view samples,
                               InSlices in_slices = InSlices::kNo) {
    columns_.push_back({time, "ns", kNsPerUnit, in_slices});
    columns_.push_back({samples, "events"});
    return columns_.size() - 2;
  };
  if (all) wall_->all = add_pair(events::kWallColumn, events::kWallSamplesColumn);
  for (std::size_t state = 0; state < WallClock::kStateCount; ++state) {
    if (!all && state != WallClock::kParked) continue;
    wall_->of_state[state] =
        add_pair(events::kStateColumns[state], events::kStateSamplesColumns[state],
                 WallContexts::is_wait(static_cast<WallClock::State>(state)) ? InSlices::kSampled
                                                                             : InSlices::kNo);
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
                           cct::MeasuredThreads& contexts, RecordedMethods& recorded) {
  threads_ = allocations_ ? &allocations_->before(threads) : &threads;
  contexts_ = &contexts;
  if (Status status = start_allocations(jni); !status) return status;
  if (!any()) return {};
  MethodTable& methods = run_.jvm.methods;
  contexts.measure({.columns = columns_,
                    .outside = context_key(kNoSite, no_recorded_caller_),
                    .is_leaf_of =
                        [&methods](MethodId caller, SiteOrdinal site, MethodId callee) {
                          return methods.is_leaf_of(caller, site, callee);
                        },
                    .before_slices = before_slices()});
  if (wall_) make_wall_clock(recorded);
  if (!active_.empty()) {
    contexts.before_places_go([this](const shadowstack::ThreadHeader& header) {
      for (Measure* measure : active_) measure->count_waiting_of(header);
    });
  }
  for (Measure* measure : active_) {
    if (Status status = measure->start(jni); !status) return status;
  }
  return {};
}

std::function<void(const shadowstack::ThreadHeader&)> TreeMeasures::before_slices() {
  if (!allocations_) return {};
  return
      [this](const shadowstack::ThreadHeader& header) { allocations_->count_waiting_of(header); };
}

void TreeMeasures::make_wall_clock(RecordedMethods& methods) {
  wall_contexts_ =
      std::make_unique<WallContexts>(run_, *contexts_, objects_, methods, *wall_, kNsPerUnit);
  wall_clock_ = std::make_unique<WallClock>(run_, *wall_contexts_);
  active_.insert(active_.begin(), wall_clock_.get());
}

// Also where none are counted: frames of an earlier recording may still count theirs.
Status TreeMeasures::start_allocations(JNIEnv* jni) {
  if (!allocations_)
    return jvm::start_allocations(run_.jvm.runtime, run_.jvmti, jni, nullptr, nullptr);
  return jvm::start_allocations(run_.jvm.runtime, run_.jvmti, jni, &allocations_->counts(),
                                &allocations_->types(), allocations_->packet_bytes());
}

Status TreeMeasures::start_counting(JNIEnv* jni) {
  for (Measure* measure : active_) {
    if (Status status = measure->start_counting(jni); !status) return status;
  }
  return {};
}

void TreeMeasures::forget() noexcept {
  if (!any()) return;
  if (allocations_) allocations_->count_waiting();
  contexts_->measured().clear();
}

Status TreeMeasures::begin(JNIEnv* jni) {
  for (Measure* measure : active_) {
    if (Status status = measure->begin(jni); !status) return status;
  }
  return {};
}

void TreeMeasures::add(EventKind kind, std::uint64_t word, shadowstack::ThreadHeader* header,
                       std::uint64_t weight, MethodId object) {
  const shadowstack::ThreadPlace place =
      header == nullptr ? shadowstack::ThreadPlace() : shadowstack::place_of(*header, word);
  add_at(kind, header, place, weight, object);
}

void TreeMeasures::add_at(EventKind kind, const shadowstack::ThreadHeader* header,
                          const shadowstack::ThreadPlace& place, std::uint64_t weight,
                          MethodId object, const shadowstack::CodePlace* code) noexcept {
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
    contexts_->add(*header, place, amounts, object, code);
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
  for (Measure* measure : active_) measure->end(*header);
  threads_->detach(header);
}

void TreeMeasures::stop() noexcept {
  for (Measure* measure : active_) measure->stop();
  if (time_ && time_->is_started()) add_unsampled_time();
}

void TreeMeasures::close_threads() noexcept {
  if (allocations_) allocations_->count_waiting();  // what was made since it was stopped
  threads_->close();
}

void TreeMeasures::add_unsampled_time() {
  const auto add_to = [this](EventKind kind) {
    std::array path = {context_key(kNoSite, other_threads_), context_key(kNoSite, other_threads_)};
    const auto add = [&](std::size_t length, std::uint64_t units) {
      if (units == 0) return;
      contexts_->measured().add(columns_of(kind)->first, {path.data(), length}, units);
    };
    std::uint64_t rest = time_->other_threads_ns() / kNsPerUnit;
    for (std::size_t duty = 0; duty < jvm_threads_.size(); ++duty) {
      const std::uint64_t units = time_->jvm_threads_ns()[duty] / kNsPerUnit;
      path[1] = context_key(kNoSite, jvm_threads_[duty]);
      add(2, units);
      rest -= units;
    }
    add(1, rest);
  };
  add_to(EventKind::kCpu);
  for (const CodePart& part : time_->parts()) {
    if (part.has_unsampled) add_to(part.kind);
  }
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
  // Up to the last sample it is all of the time, whatever a product is rounded to.
  const auto up_to_sample = [&](std::uint64_t number) {
    return number == seen
               ? totals.processor_ns
               : std::min(totals.processor_ns,
                          static_cast<std::uint64_t>(weight * static_cast<double>(number)));
  };
  const auto give = [&](const auto& counts, auto& times) {
    std::uint64_t so_far = 0, given = 0;
    for (std::size_t i = 0; i < counts.size(); ++i) {
      if (counts[i] == 0) continue;
      so_far += counts[i];
      const std::uint64_t up_to = up_to_sample(so_far);
      times[i] = up_to - std::exchange(given, up_to);
    }
    return given;
  };
  time.lost = totals.processor_ns - give(samples.values, time.values);
  give(samples.of_threads, time.of_threads);
}

// Each column evicts by itself. Where the column of time has evicted contexts and that of the samples has not, or the other
// way round, the time stands in nodes without samples, and once more where the samples are. Time that was never sampled
// has none.
void TreeMeasures::drop_unweighed(Measured& time, const Measured& samples,
                                  const cct::ContextTree& tree) const {
  const auto is_unsampled = [&](cct::ContextNode node) {
    return method_of(node.key) == other_threads_ ||
           method_of(tree.node(node.parent).key) == other_threads_;
  };
  for (std::uint32_t i = 0; i < time.values.size(); ++i) {
    if (time.values[i] == 0 || samples.values[i] != 0) continue;
    if (!is_unsampled(tree.node(NodeIndex{i}))) time.values[i] = 0;
  }
}

// A sample of a part weighs as much as any of its context. What found no room is not known to be of
// it; it may have been found for one of the two columns alone.
void TreeMeasures::weigh_part(const Measured& time, const Measured& samples, Measured& ns,
                              Measured& counted) {
  const auto weigh = [](auto column, const Measured& all, const Measured& samples_of_all,
                        Measured& part, const Measured& samples_of_part) {
    const auto& counts = samples_of_part.*column;
    for (std::size_t i = 0; i < counts.size(); ++i) {
      if (counts[i] == 0) continue;
      const std::uint64_t seen = (samples_of_all.*column)[i];
      const std::uint64_t of_part = std::min<std::uint64_t>(counts[i], seen);
      const double share = seen == 0 ? 0 : static_cast<double>(of_part) / static_cast<double>(seen);
      (part.*column)[i] = static_cast<std::uint64_t>(share * static_cast<double>((all.*column)[i]));
    }
  };
  weigh(&Measured::values, time, samples, ns, counted);
  weigh(&Measured::of_threads, time, samples, ns, counted);
  ns.lost = time.lost;
  counted.lost = samples.lost;
}

std::vector<report::ProgramTables::Measure> TreeMeasures::measures(
    std::vector<cct::MeasuredColumn> columns, const cct::ContextTree& tree,
    std::span<const shadowstack::ThreadRow> threads) const {
  std::vector<Measured> measures;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const cct::MeasureName& column = columns_[i];
    NumberColumn& amounts = columns[i].amounts;
    for (std::size_t node = 0; node < amounts.size() && column.scale != 1; ++node) {
      amounts[node] = amounts[node] * column.scale;
    }
    measures.push_back({std::string(column.name), std::string(column.unit),
                        columns[i].lost * column.scale, std::move(amounts)});
    for (const shadowstack::ThreadRow& thread : threads) {
      const std::uint64_t amount = i < thread.amounts.size() ? thread.amounts[i] : 0;
      measures.back().of_threads.push_back(amount * column.scale);
    }
  }
  if (const Columns* const cpu = columns_of(EventKind::kCpu); cpu != nullptr && !measures.empty()) {
    Measured& time = measures[cpu->first];
    Measured& samples = measures[cpu->first + 1];
    drop_unweighed(time, samples, tree);
    weigh_samples(time, samples);
    for (const CodePart& part : time_->parts()) {
      const std::size_t first = columns_of(part.kind)->first;
      drop_unweighed(measures[first], measures[first + 1], tree);
      weigh_part(time, samples, measures[first], measures[first + 1]);
    }
  }
  return measures;
}

std::vector<std::string> TreeMeasures::notes() const {
  std::vector<std::string> notes;
  for (const Measure* measure : active_) {
    for (std::string& note : measure->notes()) notes.push_back(std::move(note));
  }
  if (time_) {
    const sampling::CpuTimers::Totals totals = time_->totals();
    if (totals.processor_ns != 0 && totals.sampled_ns == 0) {
      notes.push_back(
          "The threads used too little CPU time for a sample: all of it is lost, which means "
          "that it is in no context.");
    }
  }
  if (agent::takes_default_measures(run_.options)) {
    notes.push_back(
        "CPU time was not measured: with this garbage collector it makes probes slower, or "
        "every real-time signal has a handler. --measure cpu asks for it.");
  }
  return notes;
}

}  // namespace copse::jvm
