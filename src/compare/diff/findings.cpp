#include "compare/diff/findings.h"

#include <algorithm>
#include <map>
#include <utility>

#include "report/model/report_stats.h"
#include "report/model/row.h"

namespace copse::diff {
namespace {

using report::at;
using report::MethodStats;

using Column = NumberColumn;

Column by_method(const Comparison& comparison, const Column& values) {
  Column sums(comparison.both.methods.name.size());
  for (std::size_t node = 1; node < values.size(); ++node) {
    sums[at(comparison.both.nodes.method[node])] += values[node];
  }
  return sums;
}

std::uint64_t difference(std::uint64_t a, std::uint64_t b) { return a > b ? a - b : b - a; }

std::vector<MethodChange> all_methods(const Comparison& comparison, std::size_t measure) {
  const std::vector<MethodStats> before =
      report::method_stats(comparison.both, comparison.old_values(measure));
  const std::vector<MethodStats> now =
      report::method_stats(comparison.both, comparison.new_values(measure));
  const Column old_calls = by_method(comparison, comparison.old_values(0));
  const Column new_calls = by_method(comparison, comparison.new_values(0));
  Column old_samples(old_calls.size()), new_samples(old_calls.size());
  if (const auto samples = comparison.samples_of(measure)) {
    old_samples = by_method(comparison, comparison.old_values(*samples));
    new_samples = by_method(comparison, comparison.new_values(*samples));
  }
  std::vector<MethodChange> all;
  for (std::size_t method = 0; method < before.size(); ++method) {
    all.push_back({static_cast<std::int32_t>(method), old_calls[method], new_calls[method],
                   before[method].exclusive, now[method].exclusive, before[method].inclusive,
                   now[method].inclusive, old_samples[method], new_samples[method]});
  }
  return all;
}

void keep_changed(std::vector<MethodChange>& methods) {
  std::erase_if(methods, [](const MethodChange& change) {
    return change.old_calls == change.new_calls && change.old_exclusive == change.new_exclusive &&
           change.old_inclusive == change.new_inclusive;
  });
  const auto size = [](const MethodChange& change) {
    return std::pair{difference(change.old_exclusive, change.new_exclusive),
                     difference(change.old_inclusive, change.new_inclusive)};
  };
  std::stable_sort(methods.begin(), methods.end(),
                   [&](const MethodChange& a, const MethodChange& b) { return size(a) > size(b); });
}

std::vector<PackageChange> changed_packages(const report::ReportModel::Methods& names,
                                            const std::vector<MethodChange>& methods) {
  std::map<std::string, PackageChange> by_name;
  for (const MethodChange& method : methods) {
    const std::string& name = names.class_name[at(method.method)];
    const std::size_t dot = name.rfind('.');
    const std::string package = dot == name.npos ? "" : name.substr(0, dot);
    PackageChange& change = by_name.try_emplace(package, PackageChange{package}).first->second;
    change.old_exclusive += method.old_exclusive;
    change.new_exclusive += method.new_exclusive;
    change.old_samples += method.old_samples;
    change.new_samples += method.new_samples;
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

}  // namespace

Findings find_all(const Comparison& comparison, std::size_t measure) {
  return {measure, count_contexts(comparison, measure), find_changes(comparison, measure),
          find_group_changes(comparison, measure), suggest_renames(comparison)};
}

GroupChanges find_group_changes(const Comparison& comparison, std::size_t measure) {
  GroupChanges changes;
  changes.methods = all_methods(comparison, measure);
  changes.packages = changed_packages(comparison.both.methods, changes.methods);
  keep_changed(changes.methods);
  return changes;
}

}  // namespace copse::diff
