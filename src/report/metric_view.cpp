#include "report/metric_view.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace copse {
namespace {

std::string names_without(const std::vector<ReportModel::Metric>& metrics,
                          const std::string& left_out) {
  std::string all;
  for (const ReportModel::Metric& metric : metrics) {
    if (metric.name != left_out) all += (all.empty() ? "" : ", ") + metric.name;
  }
  return all;
}

}  // namespace

Status show_metric(ReportModel& model, const std::string& name) {
  const auto found = std::find_if(model.metrics.begin(), model.metrics.end(),
                                  [&](const auto& metric) { return metric.name == name; });
  if (found == model.metrics.end()) {
    const std::string all = names_without(model.metrics, "");
    return Status::error("--metric " + name + ": the report has " +
                         (all.empty() ? "none" : "no such, but " + all));
  }
  const std::string others = names_without(model.metrics, name);
  const std::string also = others.empty() ? "" : " With --metric also: " + others + ".";
  ReportModel::Totals& totals = model.totals;
  totals.calls = std::accumulate(found->values.begin(), found->values.end(), std::uint64_t{0});
  totals.calls_lost = found->lost;
  totals.calls_seen = totals.calls + totals.calls_lost;
  model.nodes.calls = std::move(found->values);
  model.notes.insert(model.notes.begin(), "What is called calls here is the metric " + found->name +
                                              ", in " + found->unit + "." + also);
  for (ReportModel::Thread& thread : model.threads) thread.calls = 0;
  model.metrics.clear();
  return {};
}

std::string metric_to_show(const ReportModel& model) {
  if (model.totals.calls_seen != 0) return "";
  const auto counts = [](const ReportModel::Metric& metric) {
    return std::any_of(metric.values.begin(), metric.values.end(),
                       [](std::uint64_t value) { return value != 0; });
  };
  const auto found = std::find_if(model.metrics.begin(), model.metrics.end(), counts);
  return found == model.metrics.end() ? "" : found->name;
}

}  // namespace copse
