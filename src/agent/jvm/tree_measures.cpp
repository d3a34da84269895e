#include "agent/jvm/tree_measures.h"

#include <algorithm>
#include <array>
#include <ctime>
#include <numeric>
#include <utility>

#include "agent/jvm/hotspot_flags.h"
#include "base/grouped.h"
#include "cct/inline_layout.h"
#include "events/outside.h"

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
                                       EventMeasure{"exceptions", EventKind::kException},
                                       EventMeasure{"locks", EventKind::kContention}};

constexpr std::uint64_t kNsPerMs = 1'000'000;
// Times are kept in microseconds: a context has room for 2^50 of them (cct.h).
constexpr std::uint64_t kNsPerUnit = 1'000;
// Samples wait no longer for being counted.
constexpr std::uint64_t kLongestSampleWaitMs = 100;
// Of the JVM itself, and of threads that no probe ran in.
constexpr std::string_view kOtherThreads = "(threads without recorded calls)";

}  // namespace

TreeMeasures::TreeMeasures(const Run& run, std::function<void()> has_new_name)
    : run_(run), objects_(run.jvmti, run.jvm.methods, std::move(has_new_name)) {
  for (const auto& [name, kind] : kEventMeasures) {
    if (agent::measures(run.options, name)) add_columns(kind);
  }
  add_wall_columns();
  if (!any()) return;
  no_recorded_caller_ = run.jvm.methods.stand_in(
      events::kOutsideNames[static_cast<std::size_t>(events::Outside::kNoRecordedCaller)]);
  if (counts(EventKind::kCpu)) other_threads_ = run.jvm.methods.stand_in(kOtherThreads);
}

void TreeMeasures::add_columns(EventKind kind) {
  const events::EventKindInfo& info = events::info_of(kind);
  const std::uint64_t scale = info.weight_unit == "ns" ? kNsPerUnit : 1;
  kinds_.emplace_back(kind, columns_.size(), !info.weight.empty(), scale);
  if (!info.weight.empty()) columns_.push_back({info.weight, info.weight_unit, scale});
  columns_.push_back({info.count, "events"});
}

void TreeMeasures::add_wall_columns() {
  const bool all = agent::measures(run_.options, "wall");
  if (!all && !agent::measures(run_.options, "locks")) return;
  wall_.emplace();
  if (all) {
    wall_->all = columns_.size();
    columns_.push_back({"wall_ns", "ns", kNsPerUnit});
  }
  for (std::size_t state = 0; state < WallClock::kStates.size(); ++state) {
    if (!all && state != WallClock::kParked) continue;
    wall_->of_state[state] = columns_.size();
    columns_.push_back({WallClock::kStates[state], "ns", kNsPerUnit});
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
  for (const Columns& columns : kinds_) kinds.push_back(columns.kind);
  return kinds;
}

bool TreeMeasures::can_read_fields(JavaVM* vm) noexcept {
  return moves_objects_at_safepoints_alone(vm) && sampling::can_read_any_memory();
}

Status TreeMeasures::start(JNIEnv* jni, cct::InlineTrees& trees) {
  trees_ = &trees;
  if (!any()) return {};
  MethodTable& methods = run_.jvm.methods;
  trees.measure({.columns = columns_,
                 .outside = context_key(kNoSite, no_recorded_caller_),
                 .is_leaf_of = [&methods](MethodId caller, SiteOrdinal site, MethodId callee) {
                   return methods.is_leaf_of(caller, site, callee);
                 }});
  if (wall_) wall_clock_ = std::make_unique<WallClock>(run_, trees, objects_, *wall_, kNsPerUnit);
  return counts(EventKind::kCpu) ? start_timers(jni) : Status();
}

Status TreeMeasures::start_timers(JNIEnv* jni) {
  JavaVM* vm = nullptr;
  if (jni->GetJavaVM(&vm) != JNI_OK ||
      (run_.jvm.runtime.has_word_in_field() && !can_read_fields(vm))) {
    return Status::error(
        "measure cpu: this JVM moves the objects in which threads have their context words, since "
        "an earlier recording without cpu, while they run");
  }
  if (run_.jvm.timers == nullptr) run_.jvm.timers = std::make_unique<sampling::CpuTimers>();
  const Status started = run_.jvm.timers->start(
      run_.options.cpu_interval_ms * kNsPerMs,
      [this](const sampling::Sample& sample) {
        add(EventKind::kCpu, sample.word, sample.header, timers_->sample_ns(), kNoMethod);
      },
      [vm](std::uint64_t reference) {
        void* here = nullptr;
        if (vm->GetEnv(&here, JNI_VERSION_10) != JNI_OK) return;
        static_cast<JNIEnv*>(here)->DeleteGlobalRef(reinterpret_cast<jobject>(reference));
      });
  if (!started) return started;
  timers_ = run_.jvm.timers.get();
  process_began_ns_ = sampling::clock_ns(CLOCK_PROCESS_CPUTIME_ID);
  trees_->before_nodes_go(
      [this](const shadowstack::ThreadHeader& header) { timers_->drain_for(header); });
  return {};
}

Status TreeMeasures::start_counting(JNIEnv* jni) {
  if (wall_clock_ != nullptr) {
    if (Status status = wall_clock_->start(jni); !status) return status;
  }
  if (timers_ == nullptr) return {};
  return counting_.start("copse-samples", kLongestSampleWaitMs, [this] { timers_->drain(); });
}

void TreeMeasures::add(EventKind kind, std::uint64_t word, shadowstack::ThreadHeader* header,
                       std::uint64_t weight, MethodId object) {
  Columns& columns = *columns_of(kind);
  const auto add_to = [&](std::size_t column, std::uint64_t amount) {
    if (header != nullptr) {
      trees_->add(*header, word, column, amount, object);
    } else {
      trees_->add_outside(column, amount, object);
    }
  };
  if (columns.has_weight) {
    // What is left below one unit goes to the next event, so that the sum is right.
    const std::uint64_t before = columns.weight.fetch_add(weight, std::memory_order_relaxed);
    const std::uint64_t amount = (before + weight) / columns.scale - before / columns.scale;
    if (amount != 0) add_to(columns.first, amount);
  }
  add_to(columns.first + (columns.has_weight ? 1 : 0), 1);
}

std::uint64_t TreeMeasures::word_in(MethodId callee, std::uint64_t word,
                                    shadowstack::ThreadHeader& header) {
  return cct::InlineTrees::place_in_own(&header, word, callee) + cct::kInlineSlots;
}

void TreeMeasures::detach(shadowstack::ThreadHeader* header) noexcept {
  if (timers_ != nullptr) {
    timers_->end(*header);
    timers_->drain_for(*header);
  }
  trees_->detach(header);
}

void TreeMeasures::close() noexcept {
  counting_.stop();
  if (wall_clock_ != nullptr) wall_clock_->stop();
  if (timers_ != nullptr) {
    timers_->stop();
    sampled_ = timers_->totals();
    add_other_threads();
  }
  trees_->close();
}

// The process's clock has the time of all threads, those included that take no samples.
void TreeMeasures::add_other_threads() noexcept {
  const std::uint64_t process = sampling::clock_ns(CLOCK_PROCESS_CPUTIME_ID) - process_began_ns_;
  if (process <= sampled_->processor_ns) return;
  trees_->add_below_root(context_key(kNoSite, other_threads_), columns_of(EventKind::kCpu)->first,
                         (process - sampled_->processor_ns) / kNsPerUnit);
}

sampling::CpuTimers::Totals TreeMeasures::sampled() const noexcept {
  return sampled_ ? *sampled_ : timers_->totals();
}

// What the threads' clocks tell is divided among their samples. The weight that they were added with
// would make the sum wrong where the kernel takes the processor away more often just before its ticks than behind
// them, as it may when there are more threads than processors.
void TreeMeasures::weigh_samples(Measured& time, Measured& samples) const {
  const sampling::CpuTimers::Totals totals = sampled();
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
    weigh_samples(measures[cpu->first], measures[cpu->first + 1]);
  }
  return measures;
}

std::vector<std::string> TreeMeasures::notes() const {
  std::vector<std::string> notes;
  if (wall_) {
    notes.push_back(std::string(wall_->all ? "Time by the wall clock" : "Time parked") +
                    " is that of platform threads in which calls were recorded, looked "
                    "at every " +
                    std::to_string(WallClock::kPeriodMs) + " ms on the average.");
  }
  if (timers_ == nullptr) return notes;
  const sampling::CpuTimers::Totals totals = sampled();
  notes.push_back("Processor time is that of the threads' own clocks, " +
                  grouped(totals.processor_ns / kNsPerMs) +
                  " ms, divided among samples of where they stood; the probes' own time is in it.");
  if (totals.without_timer != 0) {
    notes.push_back(counted(totals.without_timer, "thread") +
                    " had no timer, which the system refused (ulimit -i): their processor time is "
                    "in " +
                    std::string(kOtherThreads) + ".");
  }
  return notes;
}

}  // namespace copse::jvm
