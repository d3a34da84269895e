#include "import/added_contexts.h"

#include <algorithm>
#include <numeric>
#include <set>
#include <tuple>

#include "report/model/report_stats.h"
#include "report/model/row.h"

namespace copse::join {
namespace {

using report::ReportModel;

using report::at;

template <typename T>
std::vector<T> in_order(const std::vector<T>& column, const std::vector<std::size_t>& order,
                        T absent) {
  std::vector<T> ordered;
  ordered.reserve(order.size());
  for (const std::size_t id : order) ordered.push_back(id < column.size() ? column[id] : absent);
  return ordered;
}

// Appends the methods and sorts all. Returns the new row of each.
std::vector<std::int32_t> add_methods(
    ReportModel::Methods& methods, const std::vector<std::pair<std::string, std::string>>& added) {
  for (const auto& [class_name, name] : added) {
    methods.class_name.push_back(class_name);
    methods.name.push_back(name);
    for (auto* column :
         {&methods.descriptor, &methods.source, &methods.loader, &methods.stable_class})
      column->emplace_back();
  }
  std::vector<std::size_t> order(methods.name.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  if (!added.empty()) {
    const auto key = [&](std::size_t row) {
      return std::tie(methods.class_name[row], methods.name[row], methods.descriptor[row],
                      methods.loader[row]);
    };
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return key(a) < key(b); });
  }
  std::vector<std::int32_t> place(order.size());
  for (std::size_t row = 0; row < order.size(); ++row)
    place[order[row]] = static_cast<std::int32_t>(row);
  for (auto* column : {&methods.class_name, &methods.name, &methods.descriptor, &methods.source,
                       &methods.loader, &methods.stable_class}) {
    std::vector<std::string> sorted;
    sorted.reserve(order.size());
    for (const std::size_t row : order) sorted.push_back(std::move((*column)[row]));
    *column = std::move(sorted);
  }
  return place;
}

// Returns the rows of unknown call sites of these methods, existing or new. Sorts all sites by
// method, line and bytecode index.
std::map<std::int32_t, std::int32_t> add_unknown_sites(ReportModel& model,
                                                       const std::set<std::int32_t>& callers) {
  ReportModel::Sites& sites = model.sites;
  const auto is_unknown = [&](std::size_t row) {
    return sites.line[row] == -1 && sites.bci[row] == -1;
  };
  std::set<std::int32_t> missing = callers;
  for (std::size_t row = 0; row < sites.method.size(); ++row) {
    if (is_unknown(row)) missing.erase(sites.method[row]);
  }
  for (const std::int32_t caller : missing) {
    sites.method.push_back(caller);
    sites.line.push_back(-1);
    sites.bci.push_back(-1);
  }
  std::vector<std::size_t> order(sites.method.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto key = [&](std::size_t row) {
    return std::tie(sites.method[row], sites.line[row], sites.bci[row]);
  };
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return key(a) < key(b); });
  std::vector<std::int32_t> place(order.size());
  for (std::size_t row = 0; row < order.size(); ++row) {
    place[order[row]] = static_cast<std::int32_t>(row);
  }
  for (std::int32_t& site : model.nodes.site) {
    if (site >= 0) site = place[at(site)];
  }
  for (auto* column : {&sites.method, &sites.line, &sites.bci})
    *column = in_order(*column, order, 0);
  std::map<std::int32_t, std::int32_t> found;
  for (std::size_t row = 0; row < sites.method.size(); ++row) {
    if (is_unknown(row)) found.emplace(sites.method[row], static_cast<std::int32_t>(row));
  }
  return found;
}

}  // namespace

// Reuses contexts that an earlier join has added.
AddedContexts::AddedContexts(const ReportModel& model)
    : rows_(model.nodes.parent.size()), method_rows_(model.methods.name.size()) {
  const ReportModel::Methods& methods = model.methods;
  for (std::size_t row = 0; row < method_rows_; ++row) {
    if (!methods.descriptor[row].empty()) continue;
    method_ids_.try_emplace({methods.class_name[row], methods.name[row]}, row);
  }
  for (std::size_t row = 1; row < rows_; ++row) {
    const std::size_t method = at(model.nodes.method[row]);
    const bool is_below_root = model.nodes.parent[row] == 0 && model.nodes.calls[row] == 0 &&
                               methods.descriptor[method].empty();
    if (!is_below_root && !is_added_context(model, row)) continue;
    node_ids_.try_emplace({at(model.nodes.parent[row]), method}, row);
  }
}

AddedContexts::MethodId AddedContexts::method(const std::string& class_name,
                                              const std::string& name) {
  const auto [found, is_new] =
      method_ids_.try_emplace({class_name, name}, method_rows_ + methods_.size());
  if (is_new) methods_.emplace_back(class_name, name);
  return found->second;
}

AddedContexts::NodeId AddedContexts::child(NodeId parent, MethodId method) {
  const auto [found, is_new] = node_ids_.try_emplace({parent, method}, rows_ + nodes_.size());
  if (is_new) nodes_.push_back({parent, method});
  return found->second;
}

void AddedContexts::put_into(ReportModel& model,
                             std::span<std::vector<std::uint64_t>> columns) const {
  const std::size_t all = rows_ + nodes_.size();
  for (std::vector<std::uint64_t>& column : columns) column.resize(all);
  if (nodes_.empty()) return;
  const std::vector<std::int32_t> method_place = add_methods(model.methods, methods_);
  for (std::int32_t& method : model.sites.method) method = method_place[at(method)];
  ReportModel::Nodes& nodes = model.nodes;
  for (std::size_t row = 1; row < rows_; ++row)
    nodes.method[row] = method_place[at(nodes.method[row])];
  const std::vector<std::uint32_t> subtree = report::subtree_rows(nodes);
  std::vector<std::uint32_t> depth(rows_);
  for (std::size_t row = 1; row < rows_; ++row) depth[row] = depth[at(nodes.parent[row])] + 1;
  const auto method_of = [&](const Added& added) { return method_place[added.method]; };
  const auto caller_of = [&](const Added& added) {
    return added.parent < rows_ ? nodes.method[added.parent]
                                : method_of(nodes_[added.parent - rows_]);
  };
  std::set<std::int32_t> callers;
  for (const Added& added : nodes_) {
    if (added.parent != 0) callers.insert(caller_of(added));
  }
  std::map<std::int32_t, std::int32_t> unknown_site = add_unknown_sites(model, callers);
  unknown_site.emplace(-1, -1);  // ROOT has none

  // Row before which to insert a context whose parent is the report's: its first later sibling, or
  // the row after its parent's subtree. Among contexts before one row, the one with the deepest
  // parent comes first.
  struct Entry {
    std::size_t before;
    std::uint32_t parent_depth;
    std::int32_t method;
    NodeId id;
  };
  std::vector<Entry> entries;
  std::vector<std::vector<NodeId>> below(nodes_.size());
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    const Added& added = nodes_[i];
    if (added.parent >= rows_) {
      below[added.parent - rows_].push_back(rows_ + i);
      continue;
    }
    const std::size_t end = added.parent + subtree[added.parent];
    std::size_t before = added.parent + 1;
    while (before < end && nodes.method[before] < method_of(added)) before += subtree[before];
    entries.push_back({before, depth[added.parent], method_of(added), rows_ + i});
  }
  std::sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) {
    if (a.before != b.before) return a.before < b.before;
    if (a.parent_depth != b.parent_depth) return a.parent_depth > b.parent_depth;
    return std::tie(a.method, a.id) < std::tie(b.method, b.id);
  });
  for (std::vector<NodeId>& children : below) {
    std::sort(children.begin(), children.end(), [&](NodeId a, NodeId b) {
      return std::pair(method_of(nodes_[a - rows_]), a) >
             std::pair(method_of(nodes_[b - rows_]), b);
    });
  }

  std::vector<std::size_t> order;
  order.reserve(all);
  std::vector<std::size_t> place(all);
  const auto put = [&](NodeId id) {
    place[id] = order.size();
    order.push_back(id);
  };
  std::vector<NodeId> open;
  auto entry = entries.begin();
  for (std::size_t row = 0; row <= rows_; ++row) {
    for (; entry != entries.end() && entry->before == row; ++entry) {
      open.assign(1, entry->id);
      while (!open.empty()) {
        const NodeId id = open.back();
        open.pop_back();
        put(id);
        open.insert(open.end(), below[id - rows_].begin(), below[id - rows_].end());
      }
    }
    if (row < rows_) put(row);
  }

  for (const Added& added : nodes_) nodes.site.push_back(unknown_site.at(caller_of(added)));
  for (const Added& added : nodes_) {
    nodes.parent.push_back(static_cast<std::int32_t>(added.parent));
    nodes.method.push_back(method_of(added));
  }
  nodes.parent = in_order(nodes.parent, order, -1);
  for (std::size_t row = 1; row < nodes.parent.size(); ++row) {
    nodes.parent[row] = static_cast<std::int32_t>(place[at(nodes.parent[row])]);
  }
  nodes.method = in_order(nodes.method, order, -1);
  nodes.site = in_order(nodes.site, order, -1);
  nodes.calls = in_order(nodes.calls, order, std::uint64_t{0});
  for (ReportModel::Measure& measure : model.measures) {
    measure.values = in_order(measure.values, order, std::uint64_t{0});
  }
  for (std::vector<std::uint64_t>& column : columns) {
    column = in_order(column, order, std::uint64_t{0});
  }
  for (ReportModel::Thread& thread : model.threads) {
    if (thread.node >= 0)
      thread.node = static_cast<std::int64_t>(place[static_cast<std::size_t>(thread.node)]);
  }
  model.totals.contexts = nodes.parent.size() - 1;
  std::vector<std::uint64_t> depths(nodes.parent.size());
  for (std::size_t row = 1; row < depths.size(); ++row) {
    depths[row] = depths[at(nodes.parent[row])] + 1;
    model.totals.max_depth = std::max(model.totals.max_depth, depths[row]);
  }
}

}  // namespace copse::join
