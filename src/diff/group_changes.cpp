#include "diff/group_changes.h"

#include <algorithm>
#include <map>
#include <utility>

#include "report/report_stats.h"
#include "report/row.h"

namespace copse::diff {
namespace {

using report::at;
using report::MethodStats;

using Column = std::vector<std::uint64_t>;

std::vector<MethodStats> stats_of(const Comparison& comparison, const Column& values) {
  return report::method_stats(comparison.both, values,
                              report::inclusive_values(comparison.both.nodes, values));
}

Column by_method(const Comparison& comparison, const Column& values) {
  Column sums(comparison.both.methods.name.size());
  for (std::size_t node = 1; node < values.size(); ++node) {
    sums[at(comparison.both.nodes.method[node])] += values[node];
  }
  return sums;
}

std::uint64_t difference(std::uint64_t a, std::uint64_t b) { return a > b ? a - b : b - a; }

}  // namespace

std::vector<MethodChange> find_method_changes(const Comparison& comparison, std::size_t measure) {
  const std::vector<MethodStats> before = stats_of(comparison, comparison.old_values(measure));
  const std::vector<MethodStats> now = stats_of(comparison, comparison.new_values(measure));
  const Column old_calls = by_method(comparison, comparison.old_values(0));
  const Column new_calls = by_method(comparison, comparison.new_values(0));
  std::vector<MethodChange> changes;
  for (std::size_t method = 0; method < before.size(); ++method) {
    changes.push_back({static_cast<std::int32_t>(method), old_calls[method], new_calls[method],
                       before[method].exclusive, now[method].exclusive, before[method].inclusive,
                       now[method].inclusive});
  }
  std::erase_if(changes, [](const MethodChange& change) {
    return change.old_calls == change.new_calls && change.old_exclusive == change.new_exclusive &&
           change.old_inclusive == change.new_inclusive;
  });
  const auto size = [](const MethodChange& change) {
    return std::pair{difference(change.old_exclusive, change.new_exclusive),
                     difference(change.old_inclusive, change.new_inclusive)};
  };
  std::stable_sort(changes.begin(), changes.end(),
                   [&](const MethodChange& a, const MethodChange& b) { return size(a) > size(b); });
  return changes;
}

std::vector<PackageChange> find_package_changes(const Comparison& comparison, std::size_t measure) {
  const Column before = by_method(comparison, comparison.old_values(measure));
  const Column now = by_method(comparison, comparison.new_values(measure));
  std::map<std::string, PackageChange> by_name;
  for (std::size_t method = 0; method < before.size(); ++method) {
    const std::string& name = comparison.both.methods.class_name[method];
    const std::size_t dot = name.rfind('.');
    const std::string package = dot == name.npos ? "" : name.substr(0, dot);
    PackageChange& change =
        by_name.try_emplace(package, PackageChange{package, 0, 0}).first->second;
    change.old_exclusive += before[method];
    change.new_exclusive += now[method];
  }
  std::vector<PackageChange> changes;
  for (auto& [name, change] : by_name) {
    if (change.old_exclusive != change.new_exclusive) changes.push_back(std::move(change));
  }
  std::stable_sort(changes.begin(), changes.end(),
                   [](const PackageChange& a, const PackageChange& b) {
                     return difference(a.old_exclusive, a.new_exclusive) >
                            difference(b.old_exclusive, b.new_exclusive);
                   });
  return changes;
}

}  // namespace copse::diff
