#include "report/model/measure_view.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <string_view>
#include <utility>

#include "base/joined_text.h"
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

MeasureView view_of(const ReportModel::Measure& measure) {
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
  view.total = std::accumulate(measure.values.begin(), measure.values.end(), std::uint64_t{0});
  view.lost = measure.lost;
  view.seen = view.total + view.lost;
  return view;
}

constexpr std::string_view kOfProcessorTime = "cpu_";
constexpr const char* kTimeBySamples = "cpu_ns";
constexpr const char* kTimeByLooks = "wall_ns";
constexpr const char* kProcessorSamples = "cpu_samples";
// The option value "locks" stands for two times: waits for monitors, and parks.
constexpr std::string_view kLocks = "locks";
constexpr std::array kTimesAtLocks = {"contended_ns", "parked_ns"};

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
    model.notes.push_back("Without " + in_words(view_of(measure).unit, sum) +
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
  return measure == nullptr ? view_of_calls(model) : view_of(*measure);
}

std::vector<MeasureView> measures_on_offer(const ReportModel& model) {
  std::vector<MeasureView> views;
  if (model.measures.empty() || model.totals.calls_seen != 0) views.push_back(view_of_calls(model));
  for (const ReportModel::Measure& measure : model.measures) views.push_back(view_of(measure));
  return views;
}

Result<std::string> measure_called(const ReportModel& model, const std::string& name) {
  if (name == kCallsMeasure || model.find_measure(name) != nullptr) return name;
  if (name == kLocks) {
    for (const char* const time : kTimesAtLocks) {
      if (model.find_measure(time) != nullptr) return std::string(time);
    }
  }
  const std::vector<MeasureView> views = measures_on_offer(model);
  const std::vector<std::string> meant = meant_by(name, views);
  if (meant.size() == 1) return meant.front();
  if (!meant.empty())
    return Status::error(Fault::kNotFound, "could be " + joined_text(meant, " or "));
  std::vector<std::string> all;
  for (const MeasureView& view : views) all.push_back(view.name);
  return Status::error(Fault::kNotFound, "the report has no such measure, but " + joined_text(all));
}

Status show_measure(ReportModel& model, const std::string& name) {
  Result<std::string> measure = measure_called(model, name);
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
