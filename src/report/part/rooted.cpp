#include "report/part/rooted.h"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <tuple>
#include <utility>
#include <vector>

#include "base/flat_map.h"
#include "report/model/row.h"
#include "report/part/part_model.h"

namespace copse::report {
namespace {

class Overlay {
 public:
  Overlay(const ReportModel& model, const MethodChoice& choice) : model_(model) {
    lay_over(choice);
  }

  PartNodes in_order() const;

 private:
  void lay_over(const MethodChoice& choice);
  std::int32_t child(std::int32_t parent, std::int32_t method, std::int32_t site);
  std::vector<std::int32_t> pre_order() const;
  std::vector<std::uint64_t> sums(const std::vector<std::uint64_t>& values,
                                  const std::vector<std::int32_t>& row_of) const;

  const ReportModel& model_;
  // Columns of the merged nodes, in the order of first occurrence, ROOT first.
  std::vector<std::int32_t> parent_ = {-1};
  std::vector<std::int32_t> method_ = {-1};
  std::vector<std::int32_t> site_ = {-1};
  FlatMap<PairKey, std::int32_t> children_;
  std::vector<std::int32_t> node_of_;  // by row of the model; 0 means left out
};

void Overlay::lay_over(const MethodChoice& choice) {
  const ReportModel::Nodes& nodes = model_.nodes;
  node_of_.resize(nodes.parent.size());
  for (std::size_t row = 1; row < nodes.parent.size(); ++row) {
    const std::int32_t above = node_of_[at(nodes.parent[row])];
    if (above != 0) {
      node_of_[row] = child(above, nodes.method[row], nodes.site[row]);
    } else if (choice.has(nodes.method[row])) {
      node_of_[row] = child(0, nodes.method[row], -1);
    }
  }
}

std::int32_t Overlay::child(std::int32_t parent, std::int32_t method, std::int32_t site) {
  const auto word = [](std::int32_t index) {
    return std::uint64_t{static_cast<std::uint32_t>(index)};
  };
  std::int32_t& node = children_[PairKey{word(parent) + 1, word(method) << 32 | word(site)}];
  if (node != 0) return node;
  node = static_cast<std::int32_t>(parent_.size());
  parent_.push_back(parent);
  method_.push_back(method);
  site_.push_back(site);
  return node;
}

// Children by method, line and bytecode index, as in every report.
std::vector<std::int32_t> Overlay::pre_order() const {
  const auto place = [this](std::int32_t node) {
    const std::int32_t site = site_[at(node)];
    const ReportModel::Sites& sites = model_.sites;
    return std::tuple(method_[at(node)], site < 0 ? -1 : sites.line[at(site)],
                      site < 0 ? -1 : sites.bci[at(site)], site);
  };
  // The children of node n stand from end[n - 1] to end[n].
  std::vector<std::size_t> end(parent_.size() + 1);
  for (std::size_t node = 1; node < parent_.size(); ++node) ++end[at(parent_[node]) + 1];
  std::partial_sum(end.begin(), end.end(), end.begin());
  std::vector<std::int32_t> children(parent_.size() - 1);
  for (std::size_t node = 1; node < parent_.size(); ++node) {
    children[end[at(parent_[node])]++] = static_cast<std::int32_t>(node);
  }
  std::vector<std::int32_t> order;
  std::vector<std::int32_t> pending = {0};
  while (!pending.empty()) {
    const std::int32_t node = pending.back();
    pending.pop_back();
    order.push_back(node);
    const std::size_t first = node == 0 ? 0 : end[at(node) - 1];
    const auto from = children.begin() + static_cast<std::ptrdiff_t>(first);
    const auto to = children.begin() + static_cast<std::ptrdiff_t>(end[at(node)]);
    // The last one first, as a stack wants them.
    std::sort(from, to, [&](std::int32_t a, std::int32_t b) { return place(a) > place(b); });
    pending.insert(pending.end(), from, to);
  }
  return order;
}

std::vector<std::uint64_t> Overlay::sums(const std::vector<std::uint64_t>& values,
                                         const std::vector<std::int32_t>& row_of) const {
  std::vector<std::uint64_t> sums(parent_.size());
  for (std::size_t row = 1; row < values.size(); ++row) {
    if (node_of_[row] != 0) sums[at(row_of[at(node_of_[row])])] += values[row];
  }
  return sums;
}

PartNodes Overlay::in_order() const {
  const std::vector<std::int32_t> order = pre_order();
  std::vector<std::int32_t> row_of(order.size());
  PartNodes part;
  for (const std::int32_t node : order) {
    const std::int32_t parent = parent_[at(node)];
    row_of[at(node)] = static_cast<std::int32_t>(part.nodes.parent.size());
    part.nodes.parent.push_back(parent < 0 ? -1 : row_of[at(parent)]);
    part.nodes.method.push_back(method_[at(node)]);
    part.nodes.site.push_back(site_[at(node)]);
  }
  const Columns columns = columns_of(model_);
  part.nodes.calls = sums(*columns.calls, row_of);
  for (const auto* values : columns.measures) part.measures.push_back(sums(*values, row_of));
  return part;
}

}  // namespace

ReportModel rooted(const ReportModel& model, const MethodChoice& choice) {
  return part_of(model, Overlay(model, choice).in_order(),
                 "What " + in_words(choice) +
                     " do, wherever they are called from: the subtrees of their outermost "
                     "occurrences, laid over each other.");
}

}  // namespace copse::report
