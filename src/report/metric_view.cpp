#include "report/metric_view.h"

#include <algorithm>
#include <numeric>
#include <string_view>
#include <utility>

namespace copse::report {
namespace {

std::string spaced(std::string_view name) {
  std::string words(name);
  std::replace(words.begin(), words.end(), '_', ' ');
  return words;
}

// Names end in their unit where they have one: what they are called without it.
std::string_view stem_of(std::string_view name) {
  for (const std::string_view unit : {"_ns", "_bytes"}) {
    if (name.size() > unit.size() && name.ends_with(unit)) {
      return name.substr(0, name.size() - unit.size());
    }
  }
  return name;
}

MetricView view_of_calls(const ReportModel& model) {
  const ReportModel::Totals& totals = model.totals;
  const std::string of = totals.calls_of.empty() ? "" : " of " + totals.calls_of;
  MetricView view;
  view.name = view.heading = kCallsMetric;
  view.words = kCallsMetric + of;
  view.values = &model.nodes.calls;
  view.total = totals.calls;
  view.lost = totals.calls_lost;
  view.seen = totals.calls_seen;
  return view;
}

MetricView view_of(const ReportModel::Metric& metric) {
  constexpr std::string_view kSamples = " samples";
  MetricView view;
  view.name = metric.name;
  view.unit = unit_named(metric.unit);
  const std::string_view stem = stem_of(metric.name);
  const bool ends_in_ns = stem.size() != metric.name.size() && view.unit == Unit::kNanoseconds;
  view.words = ends_in_ns ? spaced(stem) + " time" : spaced(metric.name);
  view.heading = view.unit == Unit::kCount ? view.words : spaced(stem);
  if (view.heading.ends_with(kSamples)) view.heading = kSamples.substr(1);
  view.is_estimate = metric.unit.ends_with("(estimate)");
  view.values = &metric.values;
  view.total = std::accumulate(metric.values.begin(), metric.values.end(), std::uint64_t{0});
  view.lost = metric.lost;
  view.seen = view.total + view.lost;
  return view;
}

const ReportModel::Metric* find(const ReportModel& model, const std::string& name) {
  const auto found = std::find_if(model.metrics.begin(), model.metrics.end(),
                                  [&](const auto& metric) { return metric.name == name; });
  return found == model.metrics.end() ? nullptr : &*found;
}

}  // namespace

bool MetricView::is_calls() const noexcept { return name == kCallsMetric; }

MetricView shown_metric(const ReportModel& model) {
  const ReportModel::Metric* metric = find(model, model.shown);
  return metric == nullptr ? view_of_calls(model) : view_of(*metric);
}

std::vector<MetricView> metrics_on_offer(const ReportModel& model) {
  std::vector<MetricView> views;
  if (model.metrics.empty() || model.totals.calls_seen != 0) views.push_back(view_of_calls(model));
  for (const ReportModel::Metric& metric : model.metrics) views.push_back(view_of(metric));
  return views;
}

Status show_metric(ReportModel& model, const std::string& name) {
  if (name != kCallsMetric && find(model, name) == nullptr) {
    std::string all;
    for (const MetricView& view : metrics_on_offer(model)) {
      all += (all.empty() ? "" : ", ") + view.name;
    }
    return Status::error("--metric " + name + ": the report has no such metric, but " + all);
  }
  model.shown = name;
  return {};
}

std::string metric_to_show(const ReportModel& model) {
  const auto has_any = [](const ReportModel::Metric& metric) {
    return std::any_of(metric.values.begin(), metric.values.end(),
                       [](std::uint64_t value) { return value != 0; });
  };
  const auto found = std::find_if(model.metrics.begin(), model.metrics.end(), has_any);
  if (found != model.metrics.end()) return found->name;
  const bool has_calls = model.metrics.empty() || model.totals.calls_seen != 0;
  return has_calls ? kCallsMetric : model.metrics.front().name;
}

}  // namespace copse::report
