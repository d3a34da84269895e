#include "compare/identity/merged_nodes.h"

#include <algorithm>

#include "report/model/report_stats.h"
#include "report/model/row.h"

namespace copse::identity {
namespace {

using report::ReportModel;

using report::at;

class Overlay {
 public:
  Overlay(const std::vector<const ReportModel*>& parts, const MergedNames& names)
      : parts_(parts), names_(names) {
    std::size_t most = 0;
    for (const ReportModel* part : parts) {
      rows_.push_back(report::subtree_rows(part->nodes));
      to_.row_of.emplace_back(part->nodes.parent.size());
      most += part->nodes.parent.size();
    }
    // Unused reserved memory is never touched.
    ReportModel::Nodes& nodes = to_.nodes;
    for (auto* column : {&nodes.parent, &nodes.method, &nodes.site}) column->reserve(most);
  }

  MergedNodes laid_over() {
    for (std::size_t part = 0; part < parts_.size(); ++part) {
      pending_.push_back({part, 0, -1, 0, part != 0});
    }
    while (!pending_.empty()) put(take_equal());
    return std::move(to_);
  }

 private:
  struct Pending {
    std::size_t part;
    std::size_t row;
    std::int32_t parent;  // row in the result
    std::uint32_t depth;
    bool equals_next;  // the entry below on the stack is the same context
  };
  struct Child {
    std::uint64_t order;  // method, then site: the order of siblings
    std::size_t part;
    std::size_t row;
  };

  const std::vector<Pending>& take_equal() {
    group_.clear();
    do {
      group_.push_back(pending_.back());
      pending_.pop_back();
    } while (group_.back().equals_next);
    return group_;
  }

  std::int32_t method_of(const Pending& node) const {
    const std::int32_t method = parts_[node.part]->nodes.method[node.row];
    return method < 0 ? -1 : names_.method_of[node.part][at(method)];
  }
  std::int32_t site_of(std::size_t part, std::size_t row) const {
    const std::int32_t site = parts_[part]->nodes.site[row];
    return site < 0 ? -1 : names_.site_of[part][at(site)];
  }

  void put(const std::vector<Pending>& group) {
    const auto row = static_cast<std::int32_t>(to_.nodes.parent.size());
    const Pending& first = group.front();
    for (const Pending& node : group) to_.row_of[node.part][node.row] = row;
    to_.nodes.parent.push_back(first.parent);
    to_.nodes.method.push_back(method_of(first));
    to_.nodes.site.push_back(site_of(first.part, first.row));
    to_.max_depth = std::max<std::uint64_t>(to_.max_depth, first.depth);
    push_children(group, row, first.depth + 1);
  }

  void push_children(const std::vector<Pending>& group, std::int32_t row, std::uint32_t depth) {
    children_.clear();
    for (const Pending& node : group) {
      const std::vector<std::uint32_t>& rows = rows_[node.part];
      const ReportModel::Nodes& nodes = parts_[node.part]->nodes;
      const std::size_t end = node.row + rows[node.row];
      for (std::size_t child = node.row + 1; child < end; child += rows[child]) {
        const auto method =
            static_cast<std::uint64_t>(names_.method_of[node.part][at(nodes.method[child])]);
        const auto site = static_cast<std::uint64_t>(site_of(node.part, child) + 1);
        children_.push_back({method << 32 | site, node.part, child});
      }
    }
    std::sort(children_.begin(), children_.end(),
              [](const Child& a, const Child& b) { return a.order < b.order; });
    for (std::size_t i = children_.size(); i-- > 0;) {
      const bool equals_next =
          i + 1 < children_.size() && children_[i + 1].order == children_[i].order;
      pending_.push_back({children_[i].part, children_[i].row, row, depth, equals_next});
    }
  }

  const std::vector<const ReportModel*>& parts_;
  const MergedNames& names_;
  std::vector<std::vector<std::uint32_t>> rows_;  // of subtrees
  std::vector<Pending> pending_, group_;
  std::vector<Child> children_;
  MergedNodes to_;
};

}  // namespace

MergedNodes merged_nodes(const std::vector<const ReportModel*>& parts, const MergedNames& names) {
  return Overlay(parts, names).laid_over();
}

void add_column(const std::vector<std::uint64_t>& values, const std::vector<std::int32_t>& row_of,
                std::vector<std::uint64_t>& sums) {
  for (std::size_t row = 0; row < values.size(); ++row) sums[at(row_of[row])] += values[row];
}

}  // namespace copse::identity
