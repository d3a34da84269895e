#include "report/report_stats.h"

#include <algorithm>

#include "report/row.h"

namespace copse::report {
std::vector<std::uint64_t> inclusive_values(const ReportModel::Nodes& nodes,
                                            const std::vector<std::uint64_t>& values) {
  std::vector<std::uint64_t> inclusive = values;
  for (std::size_t row = inclusive.size(); row-- > 1;) {
    inclusive[at(nodes.parent[row])] += inclusive[row];
  }
  return inclusive;
}

std::vector<std::uint32_t> subtree_rows(const ReportModel::Nodes& nodes) {
  std::vector<std::uint32_t> rows(nodes.parent.size(), 1);
  for (std::size_t row = rows.size(); row-- > 1;) rows[at(nodes.parent[row])] += rows[row];
  return rows;
}

std::vector<MethodStats> method_stats(const ReportModel& model,
                                      const std::vector<std::uint64_t>& values,
                                      const std::vector<std::uint64_t>& inclusive) {
  const ReportModel::Nodes& nodes = model.nodes;
  std::vector<MethodStats> stats(model.methods.name.size());
  for (std::size_t m = 0; m < stats.size(); ++m) stats[m].method = static_cast<std::int32_t>(m);
  // How often each method is on the path from ROOT to the current row.
  std::vector<std::uint32_t> on_path(stats.size(), 0);
  for (std::size_t row = 1; row < nodes.parent.size(); ++row) {
    auto open = static_cast<std::int32_t>(row - 1);
    for (; open != nodes.parent[row]; open = nodes.parent[at(open)]) {
      --on_path[at(nodes.method[at(open)])];
    }
    const std::size_t method = at(nodes.method[row]);
    MethodStats& of_method = stats[method];
    of_method.exclusive += values[row];
    if (values[row] != 0) ++of_method.contexts;
    if (on_path[method]++ == 0) of_method.inclusive += inclusive[row];
  }
  return stats;
}

std::vector<std::int32_t> hottest_contexts(const std::vector<std::uint64_t>& values,
                                           std::size_t count) {
  const auto hotter = [&](std::int32_t a, std::int32_t b) {
    return values[at(a)] != values[at(b)] ? values[at(a)] > values[at(b)] : a < b;
  };
  // A heap of the best so far, its weakest on top: no list of all nodes.
  std::vector<std::int32_t> best;
  for (std::size_t row = 1; row < values.size() && count > 0; ++row) {
    if (values[row] == 0) continue;
    const auto candidate = static_cast<std::int32_t>(row);
    if (best.size() == count) {
      if (!hotter(candidate, best.front())) continue;
      std::pop_heap(best.begin(), best.end(), hotter);
      best.pop_back();
    }
    best.push_back(candidate);
    std::push_heap(best.begin(), best.end(), hotter);
  }
  std::sort_heap(best.begin(), best.end(), hotter);
  return best;
}

}  // namespace copse::report
