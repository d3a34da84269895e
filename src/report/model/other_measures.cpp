#include "report/model/other_measures.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <string_view>
#include <utility>

#include "report/model/per_call.h"

namespace copse::report {
namespace {

constexpr std::string_view kTimeOfAllStates = "wall_ns";
constexpr std::array<std::string_view, 6> kTimesOfStates = {
    "runnable_ns", "native_ns", "blocked_ns", "waiting_ns", "parked_ns", "sleeping_ns"};

// A time or size whose events are counted exactly, and the measure of the events.
struct ExactEvents {
  std::string_view amount;
  std::string_view events;
};
constexpr std::array kExactEvents = {ExactEvents{"contended_ns", "contentions"},
                                     ExactEvents{"allocated_bytes", "allocations"}};

bool is_range(const ReportModel& model, std::string_view name) {
  return model.program.runs > 1 && (name.starts_with(kLeast) || name.starts_with(kGreatest));
}

}  // namespace

std::optional<CountedEvents> events_of(const ReportModel& model, const MeasureView& view) {
  if (view.unit == Unit::kCount) return std::nullopt;
  const ReportModel::Measure* events = model.find_measure(samples_of(view.name));
  for (const ExactEvents& exact : kExactEvents) {
    if (events == nullptr && exact.amount == view.name) events = model.find_measure(exact.events);
  }
  if (events == nullptr) return std::nullopt;
  return CountedEvents{events->name, std::accumulate(events->values.begin(), events->values.end(),
                                                     std::uint64_t{0})};
}

std::vector<OtherMeasure> other_measures(const ReportModel& model, const MeasureView& shown) {
  const bool has_states = model.find_measure(kTimeOfAllStates) != nullptr;
  std::vector<OtherMeasure> others;
  std::vector<std::string> with_their_amount;
  for (MeasureView& view : measures_on_offer(model)) {
    std::optional<CountedEvents> events = events_of(model, view);
    if (events && events->name == shown.name) events.reset();
    if (events) with_their_amount.push_back(events->name);
    const bool is_state = has_states && std::find(kTimesOfStates.begin(), kTimesOfStates.end(),
                                                  view.name) != kTimesOfStates.end();
    if (view.name == shown.name || is_range(model, view.name) || (is_state && view.seen == 0)) {
      continue;
    }
    others.push_back(
        {std::move(view), is_state && shown.name != kTimeOfAllStates, std::move(events)});
  }
  std::erase_if(others, [&](const OtherMeasure& other) {
    return std::find(with_their_amount.begin(), with_their_amount.end(), other.view.name) !=
           with_their_amount.end();
  });
  return others;
}

}  // namespace copse::report
