#include "report/model/measure_view.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <string_view>
#include <utility>

#include "base/joined_text.h"
#include "base/nearest.h"
#include "base/printable.h"
#include "report/model/idle_waits.h"
#include "report/model/per_call.h"
#include "report/model/row.h"

namespace copse::report {
namespace {

std::string spaced(std::string_view name) {
  std::string words(name);
  std::replace(words.begin(), words.end(), '_', ' ');
  return words;
}

// Returns the name of a measure without its unit, which is the ending.
std::string_view stem_of(std::string_view name) {
  for (const std::string_view unit : {"_ns", "_bytes"}) {
    if (name.size() > unit.size() && name.ends_with(unit)) {
      return name.substr(0, name.size() - unit.size());
    }
  }
  return name;
}

std::string words_of(const ReportModel::Measure& measure) {
  const std::string_view stem = stem_of(measure.name);
  const bool ends_in_ns =
      stem.size() != measure.name.size() && unit_named(measure.unit) == Unit::kNanoseconds;
  return ends_in_ns ? spaced(stem) + " time" : spaced(measure.name);
}

std::uint64_t sum_of(const NumberColumn& values) {
  return std::accumulate(values.begin(), values.end(), std::uint64_t{0});
}

MeasureView view_of(const ReportModel& model, const ReportModel::Measure& measure) {
  constexpr std::string_view kSamples = " samples";
  MeasureView view;
  view.name = measure.name;
  view.unit = unit_named(measure.unit);
  const std::string_view stem = stem_of(measure.name);
  view.words = words_of(measure);
  view.heading = view.unit == Unit::kCount ? view.words : spaced(stem);
  if (view.heading.ends_with(kSamples)) view.heading = kSamples.substr(1);
  view.is_estimate = measure.unit.ends_with("(estimate)");
  view.values = &measure.values;
  if (const std::string samples = samples_of(measure.name); samples != measure.name) {
    const ReportModel::Measure* const behind = model.find_measure(samples);
    if (behind != nullptr) {
      view.samples = &behind->values;
      view.total_samples = sum_of(behind->values);
    }
  }
  view.total = sum_of(measure.values);
  view.lost = measure.lost;
  view.seen = view.total + view.lost;
  return view;
}

constexpr std::string_view kOfProcessorTime = "cpu_";
constexpr const char* kTimeBySamples = "cpu_ns";
constexpr const char* kTimeByLooks = "wall_ns";
constexpr const char* kProcessorSamples = "cpu_samples";

// A word of --measure, of runs and reports. encoders/events/event_kind.h has those of runs; a test compares them.
struct KnownMeasure {
  std::string_view word;
  std::string_view in_words;  // behind "no"
  // The first is shown; the last tells measures apart that share the first.
  std::array<std::string_view, 2> columns;
  std::string_view recorded_by = word;  // word for a run
};
constexpr std::string_view kAllocated = "allocated_bytes";
// In the order of a report. "locks" records time parked as well.
constexpr std::array kKnownMeasures = {
    KnownMeasure{"calls", "calls", {kCallsMeasure, kCallsMeasure}},
    KnownMeasure{"cpu", "CPU time", {"cpu_ns", "cpu_samples"}},
    KnownMeasure{
        "cpu=corrected", "corrected CPU time", {"cpu_corrected_ns", "cpu_corrected_samples"}},
    KnownMeasure{"cpu=native", "native CPU time", {"cpu_native_ns", "cpu_native_samples"}},
    KnownMeasure{"wall", "wall-clock time", {"wall_ns", "wall_samples"}},
    KnownMeasure{"runnable", "time runnable", {"runnable_ns", "runnable_samples"}, "wall"},
    KnownMeasure{"native", "time in native code", {"native_ns", "native_samples"}, "wall"},
    KnownMeasure{"blocked", "time blocked", {"blocked_ns", "blocked_samples"}, "wall"},
    KnownMeasure{"waiting", "time waiting", {"waiting_ns", "waiting_samples"}, "wall"},
    KnownMeasure{"alloc", "allocations", {kAllocated, "allocation_samples"}},
    KnownMeasure{"alloc=exact", "exact allocations", {kAllocated, "allocations"}},
    KnownMeasure{"exceptions", "exceptions", {"exceptions", "exceptions"}},
    KnownMeasure{"locks", "waits for locks", {"contended_ns", "contentions"}},
    KnownMeasure{"parked", "time parked", {"parked_ns", "parked_samples"}, "locks"},
    KnownMeasure{"sleeping", "time asleep", {"sleeping_ns", "sleeping_samples"}, "wall"},
    KnownMeasure{"ids", "requests for ids", {"ids_asked", "ids_asked"}},
};
constexpr std::string_view kLocks = "locks";
constexpr const char* kParked = "parked_ns";

bool is_there(const KnownMeasure& known, const std::vector<std::string>& columns) {
  const auto has = [&](std::string_view column) {
    return std::ranges::find(columns, column) != columns.end();
  };
  const bool shares_column = known.columns[0] == kAllocated;
  return has(known.columns[0]) && (!shares_column || has(known.columns[1]));
}

const KnownMeasure* known_measure(std::string_view typed) {
  for (const KnownMeasure& known : kKnownMeasures) {
    if (known.word == typed) return &known;
  }
  for (const KnownMeasure& known : kKnownMeasures) {
    for (const std::string_view column : known.columns) {
      if (column == typed || stem_of(column) == typed) return &known;
    }
  }
  return nullptr;
}

// The first that begins with `typed`.
const KnownMeasure* measure_that_begins(std::string_view typed) {
  constexpr std::size_t kLeast = 3;
  if (typed.size() < kLeast) return nullptr;
  for (const KnownMeasure& known : kKnownMeasures) {
    for (const std::string_view name : {known.word, known.columns[0], known.columns[1]}) {
      if (name.starts_with(typed)) return &known;
    }
  }
  return nullptr;
}

// Without the least and the greatest values of several runs.
std::vector<std::string> columns_of(const ReportModel& model,
                                    const std::vector<MeasureView>& views) {
  std::vector<std::string> columns;
  for (const MeasureView& view : views) {
    const bool is_range = model.program.runs > 1 &&
                          (view.name.starts_with(kLeast) || view.name.starts_with(kGreatest));
    if (!is_range) columns.push_back(view.name);
  }
  return columns;
}

// Returns the measures named `typed` without their unit; if there are none, the measures whose
// names begin with `typed`. Among the latter, times and sizes take precedence over counts, which
// count the same events.
std::vector<std::string> meant_by(std::string_view typed, const std::vector<MeasureView>& views) {
  std::vector<std::string> whole, amounts, counts;
  for (const MeasureView& view : views) {
    if (stem_of(view.name) == typed) whole.push_back(view.name);
    if (!typed.empty() && view.name.starts_with(typed)) {
      (view.unit == Unit::kCount ? counts : amounts).push_back(view.name);
    }
  }
  if (!whole.empty()) return whole;
  return amounts.empty() ? counts : amounts;
}

// Returns whether an estimate has too few samples because the program ended too soon.
bool has_too_few_samples(const ReportModel& model, const std::string& measure) {
  if (model.totals.calls_seen == 0) return false;
  const bool is_of_processor = measure.starts_with(kOfProcessorTime);
  const ReportModel::Measure* const samples =
      model.find_measure(is_of_processor ? kProcessorSamples : samples_of(measure));
  if (samples == nullptr) return false;
  std::uint64_t in_calls = 0;  // excludes nodes without calls, which stand for other threads
  for (std::size_t row = 1; row < samples->values.size(); ++row) {
    if (model.nodes.calls[row] != 0) in_calls += samples->values[row];
  }
  return in_calls < kEnoughSamples;
}

bool is_threads_without_calls(const ReportModel::Methods& methods, std::size_t row) {
  return methods.name[row] == kThreadsWithoutCalls && methods.class_name[row].empty();
}

}  // namespace

bool MeasureView::is_calls() const noexcept { return name == kCallsMeasure; }

std::vector<bool> contexts_without_calls(const ReportModel& model) {
  const ReportModel::Nodes& nodes = model.nodes;
  std::vector<bool> has_none(nodes.parent.size());
  for (std::size_t row = 1; row < has_none.size(); ++row) {
    const std::size_t parent = at(nodes.parent[row]);
    has_none[row] = has_none[parent] ||
                    (parent == 0 && is_threads_without_calls(model.methods, at(nodes.method[row])));
  }
  return has_none;
}

void take_jvm_out(ReportModel& model) {
  const std::vector<bool> is_jvm = contexts_without_calls(model);
  for (ReportModel::Measure& measure : model.measures) {
    std::uint64_t sum = 0;
    for (std::size_t row = 1; row < is_jvm.size(); ++row) {
      if (!is_jvm[row]) continue;
      sum += measure.values[row];
      measure.values[row] = 0;
    }
    if (sum == 0 || measure.name != model.shown) continue;
    model.notes.push_back("Without " + in_words(unit_named(measure.unit), sum) +
                          " of the JVM's own threads; --all has them.");
  }
}

ProgramView::ProgramView(const ReportModel& model, const MeasureView& whole,
                         const LeftOut& left_out)
    : view_(whole) {
  if (left_out.nothing) return;
  const auto leave_out = [&](std::size_t row, std::uint64_t amount, std::uint64_t& sum) {
    if (amount == 0) return;
    if (values_.empty()) values_ = *whole.values;
    values_[row] -= amount;
    sum += amount;
  };
  const ReportModel::Nodes& nodes = model.nodes;
  const std::vector<bool> is_jvm = contexts_without_calls(model);
  for (std::size_t row = 1; row < is_jvm.size(); ++row) {
    if (!is_jvm[row]) continue;
    const std::uint64_t amount = whole.of(row);
    if (nodes.parent[row] != 0 && amount != 0) {
      jvm_parts_.emplace_back(model.methods.name[at(nodes.method[row])], amount);
    }
    leave_out(row, amount, jvm_);
  }
  std::stable_sort(jvm_parts_.begin(), jvm_parts_.end(),
                   [](const auto& a, const auto& b) { return a.second > b.second; });
  const NumberColumn idle = idle_amounts(model, whole, left_out.idle);
  for (std::size_t row = 1; row < idle.size(); ++row) leave_out(row, idle[row], idle_);
  if (values_.empty()) return;
  view_.values = &values_;
  view_.total -= jvm_ + idle_;
  if (whole.samples == nullptr) return;
  samples_ = *whole.samples;
  for (std::size_t row = 1; row < is_jvm.size(); ++row) {
    if (is_jvm[row]) samples_[row] = 0;
  }
  const MeasureView of_samples = view_of(model, *model.find_measure(samples_of(whole.name)));
  const NumberColumn idle_samples = idle_amounts(model, of_samples, left_out.idle);
  for (std::size_t row = 1; row < idle_samples.size(); ++row) samples_[row] -= idle_samples[row];
  view_.samples = &samples_;
  view_.total_samples = sum_of(samples_);
}

std::string ProgramView::jvm_parts() const {
  std::string text;
  for (const auto& [name, amount] : jvm_parts_) {
    const std::string words = name.size() > 2 && name.starts_with('(') && name.ends_with(')')
                                  ? printable(name.substr(1, name.size() - 2))
                                  : printable(name);
    text += (text.empty() ? "" : ", ") + words + " " + in_words(view_.unit, amount);
  }
  return text;
}

MeasureView view_of_calls(const ReportModel& model) {
  const ReportModel::Totals& totals = model.totals;
  const std::string of = totals.calls_of.empty() ? "" : " of " + totals.calls_of;
  MeasureView view;
  view.name = view.heading = kCallsMeasure;
  view.words = kCallsMeasure + of;
  view.values = &model.nodes.calls;
  view.total = totals.calls;
  view.lost = totals.calls_lost;
  view.seen = totals.calls_seen;
  return view;
}

std::string words_of(const ReportModel& model, std::string_view name) {
  if (name == kCallsMeasure) return view_of_calls(model).words;
  const ReportModel::Measure* measure = model.find_measure(name);
  return measure == nullptr ? std::string() : words_of(*measure);
}

MeasureView shown_measure(const ReportModel& model) {
  const ReportModel::Measure* measure = model.find_measure(model.shown);
  return measure == nullptr ? view_of_calls(model) : view_of(model, *measure);
}

std::vector<MeasureView> measures_on_offer(const ReportModel& model) {
  std::vector<MeasureView> views;
  if (model.measures.empty() || model.totals.calls_seen != 0) views.push_back(view_of_calls(model));
  for (const ReportModel::Measure& measure : model.measures)
    views.push_back(view_of(model, measure));
  return views;
}

std::vector<std::string> measure_words(const std::vector<std::string>& columns) {
  std::vector<std::string> words;
  std::vector<std::string_view> told;
  for (const KnownMeasure& known : kKnownMeasures) {
    if (!is_there(known, columns)) continue;
    words.emplace_back(known.word);
    told.insert(told.end(), known.columns.begin(), known.columns.end());
  }
  for (const std::string& column : columns) {
    if (std::ranges::find(told, column) == told.end()) words.push_back(column);
  }
  return words;
}

std::string measure_word(const ReportModel& model, const std::string& name) {
  const std::vector<std::string> columns = columns_of(model, measures_on_offer(model));
  for (const KnownMeasure& known : kKnownMeasures) {
    if (known.columns[0] == name && is_there(known, columns)) return std::string(known.word);
  }
  return name;
}

bool is_known_measure(std::string_view typed) { return known_measure(typed) != nullptr; }

std::string absent_measure(std::string_view typed, const std::vector<std::string>& columns,
                           std::string_view where) {
  const std::vector<std::string> words = measure_words(columns);
  const std::string in_where = " in " + std::string(where);
  std::string text;
  const KnownMeasure* known = known_measure(typed);
  if (known == nullptr) known = measure_that_begins(typed);
  if (known != nullptr) {
    text = "no " + std::string(known->in_words) + in_where + "; record with --measure " +
           std::string(known->recorded_by);
  } else {
    text = "no such measure" + in_where + did_you_mean(std::string(typed), words);
  }
  if (words.empty()) return text;
  return text + (text.ends_with('?') ? " " : ". ") +
         (where == kEitherReport ? "They have: " : "It has: ") + joined_text(words);
}

Result<std::string> measure_called(const ReportModel& model, const std::string& name,
                                   std::string_view where) {
  if (name == kCallsMeasure || model.find_measure(name) != nullptr) return name;
  const std::vector<MeasureView> views = measures_on_offer(model);
  const std::vector<std::string> columns = columns_of(model, views);
  for (const KnownMeasure& known : kKnownMeasures) {
    if (known.word == name && is_there(known, columns)) return std::string(known.columns[0]);
  }
  if (name == kLocks && model.find_measure(kParked) != nullptr) return std::string(kParked);
  const bool is_variant = name.find('=') != std::string::npos;
  const std::vector<std::string> meant =
      is_variant ? std::vector<std::string>() : meant_by(name, views);
  if (meant.size() == 1) return meant.front();
  if (!meant.empty()) {
    return Status::error(Fault::kNotFound, "could be " + joined_text(measure_words(meant), " or "));
  }
  return Status::error(Fault::kNotFound, absent_measure(name, columns, where));
}

Status show_measure(ReportModel& model, const std::string& name, std::string_view where) {
  Result<std::string> measure = measure_called(model, name, where);
  if (!measure.ok()) return measure.status().behind("--measure " + name + ": ");
  model.shown = std::move(*measure);
  return {};
}

std::string measure_to_show(const ReportModel& model) {
  const auto has_any = [](const ReportModel::Measure& measure) {
    return std::any_of(measure.values.begin(), measure.values.end(),
                       [](std::uint64_t value) { return value != 0; });
  };
  const auto says_something = [&](const ReportModel::Measure& measure) {
    return has_any(measure) && !has_too_few_samples(model, measure.name);
  };
  const ReportModel::Measure* const processor = model.find_measure(kTimeBySamples);
  const ReportModel::Measure* const wall = model.find_measure(kTimeByLooks);
  if (processor != nullptr && wall != nullptr && !says_something(*processor) &&
      says_something(*wall)) {
    return wall->name;
  }
  const auto found = std::find_if(model.measures.begin(), model.measures.end(), says_something);
  if (found != model.measures.end()) return found->name;
  const bool has_calls = model.measures.empty() || model.totals.calls_seen != 0;
  return has_calls ? kCallsMeasure : model.measures.front().name;
}

}  // namespace copse::report
