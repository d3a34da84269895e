#include "report/model/report_stats.h"

#include <algorithm>
#include <numeric>

#include "report/model/row.h"

namespace copse::report {
namespace {

std::vector<MethodStats> empty_stats(const ReportModel& model) {
  std::vector<MethodStats> stats(model.methods.name.size());
  for (std::size_t m = 0; m < stats.size(); ++m) stats[m].method = static_cast<std::int32_t>(m);
  return stats;
}

void add_own(MethodStats& to, std::uint64_t value) {
  to.exclusive += value;
  if (value != 0) ++to.contexts;
}

}  // namespace

NumberColumn inclusive_values(const ReportModel::Nodes& nodes, const NumberColumn& values) {
  NumberColumn inclusive = values;
  for (std::size_t row = inclusive.size(); row-- > 1;) {
    inclusive[at(nodes.parent[row])] += inclusive[row];
  }
  return inclusive;
}

NumberColumn inclusive_at(const ReportModel::Nodes& nodes, const NumberColumn& values,
                          const std::vector<std::int32_t>& rows) {
  std::vector<std::size_t> order(rows.size());  // indices into rows, in the order of nodes
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return rows[a] < rows[b]; });
  NumberColumn sums(rows.size());
  std::vector<std::size_t> around;  // those of `rows` whose subtrees the current node is in
  const auto leave = [&] {
    const std::size_t left = around.back();
    around.pop_back();
    if (!around.empty()) sums[around.back()] += sums[left];
  };
  std::size_t next = 0;
  for (std::size_t row = 0; row < values.size(); ++row) {
    while (!around.empty() && nodes.parent[row] < rows[around.back()]) leave();
    while (next < order.size() && at(rows[order[next]]) == row) around.push_back(order[next++]);
    if (!around.empty()) sums[around.back()] += values[row];
  }
  while (!around.empty()) leave();
  return sums;
}

std::vector<std::uint32_t> subtree_rows(const ReportModel::Nodes& nodes) {
  std::vector<std::uint32_t> rows(nodes.parent.size(), 1);
  for (std::size_t row = rows.size(); row-- > 1;) rows[at(nodes.parent[row])] += rows[row];
  return rows;
}

std::vector<MethodStats> method_stats(const ReportModel& model, const NumberColumn& values,
                                      const NumberColumn& inclusive) {
  const ReportModel::Nodes& nodes = model.nodes;
  std::vector<MethodStats> stats = empty_stats(model);
  // How often each method is on the path from ROOT to the current row.
  std::vector<std::uint32_t> on_path(stats.size(), 0);
  for (std::size_t row = 1; row < nodes.parent.size(); ++row) {
    auto open = static_cast<std::int32_t>(row - 1);
    for (; open != nodes.parent[row]; open = nodes.parent[at(open)]) {
      --on_path[at(nodes.method[at(open)])];
    }
    const std::size_t method = at(nodes.method[row]);
    add_own(stats[method], values[row]);
    if (on_path[method]++ == 0) stats[method].inclusive += inclusive[row];
  }
  return stats;
}

std::vector<MethodStats> method_stats(const ReportModel& model, const NumberColumn& values) {
  const ReportModel::Nodes& nodes = model.nodes;
  std::vector<MethodStats> stats = empty_stats(model);
  std::vector<std::uint32_t> on_path(stats.size(), 0);
  struct OnPath {
    std::int32_t row;
    std::uint64_t inclusive;  // of what was met of its subtree
  };
  std::vector<OnPath> path;
  const auto leave = [&] {
    const OnPath left = path.back();
    path.pop_back();
    if (!path.empty()) path.back().inclusive += left.inclusive;
    const std::size_t method = at(nodes.method[at(left.row)]);
    if (--on_path[method] == 0) stats[method].inclusive += left.inclusive;
  };
  for (std::size_t row = 1; row < nodes.parent.size(); ++row) {
    while (!path.empty() && path.back().row != nodes.parent[row]) leave();
    const std::size_t method = at(nodes.method[row]);
    add_own(stats[method], values[row]);
    ++on_path[method];
    path.push_back({static_cast<std::int32_t>(row), values[row]});
  }
  while (!path.empty()) leave();
  return stats;
}

std::uint64_t contexts_with(const NumberColumn& values) {
  if (values.empty()) return 0;
  const auto is_some = [](std::uint64_t value) { return value != 0; };
  return static_cast<std::uint64_t>(std::count_if(values.begin() + 1, values.end(), is_some));
}

std::uint64_t methods_with(const ReportModel& model, const NumberColumn& values) {
  std::vector<bool> has_any(model.methods.name.size());
  for (std::size_t row = 1; row < values.size(); ++row) {
    if (values[row] != 0) has_any[at(model.nodes.method[row])] = true;
  }
  return static_cast<std::uint64_t>(std::count(has_any.begin(), has_any.end(), true));
}

std::vector<std::int32_t> hottest_contexts(const NumberColumn& values, std::size_t count) {
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
