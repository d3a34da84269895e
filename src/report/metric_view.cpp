#include "report/metric_view.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace copse {

Status show_metric(ReportModel& model, const std::string& name) {
  const auto found = std::find_if(model.metrics.begin(), model.metrics.end(),
                                  [&](const auto& metric) { return metric.name == name; });
  if (found == model.metrics.end()) {
    std::string all;
    for (const ReportModel::Metric& metric : model.metrics) {
      all += (all.empty() ? "" : ", ") + metric.name;
    }
    return Status::error("--metric " + name + ": the report has " +
                         (all.empty() ? "none" : "no such, but " + all));
  }
  ReportModel::Totals& totals = model.totals;
  totals.calls = std::accumulate(found->values.begin(), found->values.end(), std::uint64_t{0});
  totals.calls_lost = found->lost;
  totals.calls_seen = totals.calls + totals.calls_lost;
  model.nodes.calls = std::move(found->values);
  model.notes.insert(model.notes.begin(), "What is called calls here is the metric " + found->name +
                                              ", in " + found->unit + ".");
  for (ReportModel::Thread& thread : model.threads) thread.calls = 0;
  model.metrics.clear();
  return {};
}

}  // namespace copse
