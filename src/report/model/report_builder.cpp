#include "report/model/report_builder.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <tuple>
#include <utility>

#include "base/make_room.h"
#include "report/model/row.h"

namespace copse::report {
namespace {

class Layout {
 public:
  explicit Layout(const Contexts& contexts) : contexts_(contexts) {}

  Rows made() {
    list_children();
    rows_.row_of.assign(contexts_.count(), -1);
    rows_.nodes.parent.reserve(contexts_.count());  // memory that is not used is never touched
    for (std::size_t i = 0; i < roots_.size(); ++i) pending_.push_back({roots_[i], -1, i != 0});
    while (!pending_.empty()) put(take_equal());
    give_back(first_);
    give_back(children_);
    take_names();
    return std::move(rows_);
  }

 private:
  struct Pending {
    std::uint32_t context;
    std::int32_t parent;  // row
    bool equals_next;     // the entry below on the stack is the same context
  };
  struct Child {
    std::uint64_t order;  // method, then site: the order of siblings
    std::uint32_t context;
  };

  static std::uint64_t word(std::int32_t row) { return static_cast<std::uint32_t>(row + 1); }

  void list_children() {
    const std::uint32_t count = contexts_.count();
    first_.assign(std::size_t{count} + 1, 0);
    for (std::uint32_t context = 0; context < count; ++context) {
      const std::uint32_t parent = contexts_.parent(context);
      if (parent == context) {
        roots_.push_back(context);
      } else if (parent != Contexts::kLeftOut) {
        ++first_[parent];
      }
    }
    // Ends become beginnings while the lists are filled from their ends.
    std::partial_sum(first_.begin(), first_.end(), first_.begin());
    children_.resize(first_.back());
    for (std::uint32_t context = count; context-- > 0;) {
      const std::uint32_t parent = contexts_.parent(context);
      if (parent != context && parent != Contexts::kLeftOut) children_[--first_[parent]] = context;
    }
  }

  const std::vector<std::uint32_t>& take_equal() {
    group_.clear();
    do {
      first_of_group_ = pending_.back();
      group_.push_back(first_of_group_.context);
      pending_.pop_back();
    } while (first_of_group_.equals_next);
    return group_;
  }

  void put(const std::vector<std::uint32_t>& group) {
    const auto row = static_cast<std::int32_t>(rows_.nodes.parent.size());
    rows_.nodes.parent.push_back(first_of_group_.parent);
    siblings_.clear();
    for (const std::uint32_t context : group) {
      rows_.row_of[context] = row;
      for (std::uint32_t i = first_[context]; i < first_[context + std::size_t{1}]; ++i) {
        const auto [method, site] = contexts_.name(children_[i]);
        siblings_.push_back({word(method) << 32 | word(site), children_[i]});
      }
    }
    std::sort(siblings_.begin(), siblings_.end(), [](const Child& a, const Child& b) {
      return std::tie(a.order, a.context) < std::tie(b.order, b.context);
    });
    for (std::size_t i = siblings_.size(); i-- > 0;) {
      const bool equals_next =
          i + 1 < siblings_.size() && siblings_[i + 1].order == siblings_[i].order;
      pending_.push_back({siblings_[i].context, row, equals_next});
    }
  }

  void take_names() {
    rows_.nodes.method.assign(rows_.nodes.parent.size(), -1);
    rows_.nodes.site.assign(rows_.nodes.parent.size(), -1);
    for (std::uint32_t context = 0; context < rows_.row_of.size(); ++context) {
      if (rows_.row_of[context] <= 0) continue;
      const auto [method, site] = contexts_.name(context);
      rows_.nodes.method[at(rows_.row_of[context])] = method;
      rows_.nodes.site[at(rows_.row_of[context])] = site;
    }
  }

  const Contexts& contexts_;
  std::vector<std::uint32_t> roots_;
  // The children of context n are children_[first_[n]] to children_[first_[n + 1] - 1].
  std::vector<std::uint32_t> first_, children_;
  std::vector<Pending> pending_;
  Pending first_of_group_{};
  std::vector<std::uint32_t> group_;
  std::vector<Child> siblings_;
  Rows rows_;
};

template <typename Methods>
auto columns_of(Methods& methods) {
  return std::array{&methods.class_name, &methods.name,   &methods.descriptor,
                    &methods.source,     &methods.loader, &methods.stable_class};
}

// Sorts the rows of some columns and makes equal ones one. `key`: of a row, before. Returns the new rows.
template <typename Key, typename Columns, typename Unite>
std::vector<std::int32_t> sort_rows(std::size_t count, Key key, Columns columns, Unite unite) {
  std::vector<std::uint32_t> order(count);
  std::iota(order.begin(), order.end(), std::uint32_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return key(a) < key(b); });
  std::vector<std::int32_t> now(count);
  std::vector<std::uint32_t> kept;
  for (const std::uint32_t row : order) {
    if (kept.empty() || key(kept.back()) != key(row)) {
      kept.push_back(row);
    } else {
      unite(kept.back(), row);
    }
    now[row] = static_cast<std::int32_t>(kept.size()) - 1;
  }
  for (auto* column : columns) {
    std::remove_reference_t<decltype(*column)> sorted;
    sorted.reserve(kept.size());
    for (const std::uint32_t row : kept) sorted.push_back(std::move((*column)[row]));
    *column = std::move(sorted);
  }
  return now;
}

}  // namespace

Rows rows_of(const Contexts& contexts) { return Layout(contexts).made(); }

void add_by_row(const NumberColumn& values, std::span<const std::int32_t> row_of,
                NumberColumn& sums) {
  const std::size_t count = std::min(values.size(), row_of.size());
  for (std::size_t i = 0; i < count; ++i) {
    if (row_of[i] >= 0) sums[at(row_of[i])] += values[i];
  }
}

NumberColumn sums_by_row(const NumberColumn& values, std::span<const std::int32_t> row_of,
                         std::size_t rows) {
  NumberColumn sums(rows);
  add_by_row(values, row_of, sums);
  return sums;
}

void move_threads(std::span<const std::int32_t> row_of, std::vector<ReportModel::Thread>& threads) {
  for (ReportModel::Thread& thread : threads) {
    if (thread.node >= 0) thread.node = row_of[static_cast<std::size_t>(thread.node)];
  }
}

std::int32_t add_method(MethodRow method, ReportModel::Methods& methods) {
  const std::array words{&method.class_name, &method.name,   &method.descriptor,
                         &method.source,     &method.loader, &method.stable_class};
  const auto columns = columns_of(methods);
  for (std::size_t i = 0; i < columns.size(); ++i) columns[i]->push_back(std::move(*words[i]));
  return static_cast<std::int32_t>(methods.name.size()) - 1;
}

std::int32_t add_site(std::int32_t method, std::int32_t line, std::int32_t bci,
                      ReportModel::Sites& sites) {
  sites.method.push_back(method);
  sites.line.push_back(line);
  sites.bci.push_back(bci);
  return static_cast<std::int32_t>(sites.method.size()) - 1;
}

NewNames sort_names(ReportModel::Methods& methods, ReportModel::Sites& sites) {
  NewNames now;
  now.method = sort_rows(
      methods.name.size(),
      [&](std::size_t row) {
        return std::tie(methods.class_name[row], methods.name[row], methods.descriptor[row],
                        methods.loader[row], methods.stable_class[row]);
      },
      columns_of(methods),
      [&](std::size_t kept, std::size_t equal) {
        if (methods.source[kept] != methods.source[equal]) methods.source[kept].clear();
      });
  renumber(now.method, sites.method);
  now.site = sort_rows(
      sites.method.size(),
      [&](std::size_t row) { return std::tie(sites.method[row], sites.line[row], sites.bci[row]); },
      std::array{&sites.method, &sites.line, &sites.bci}, [](std::size_t, std::size_t) {});
  return now;
}

void renumber(std::span<const std::int32_t> now, std::vector<std::int32_t>& rows) {
  for (std::int32_t& row : rows) {
    if (row >= 0) row = now[at(row)];
  }
}

void measure_tree(ReportModel& model) {
  ReportModel::Totals& totals = model.totals;
  const ReportModel::Nodes& nodes = model.nodes;
  totals.calls = totals.evicted_calls = totals.max_depth = 0;
  totals.contexts = nodes.parent.size() - 1;
  std::vector<bool> is_evicted(model.methods.name.size());
  for (std::size_t row = 0; row < is_evicted.size(); ++row) {
    is_evicted[row] = is_evicted_method(model.methods, row);
  }
  std::vector<std::int32_t> path;  // rows from ROOT
  for (std::size_t row = 0; row < nodes.parent.size(); ++row) {
    while (!path.empty() && path.back() != nodes.parent[row]) path.pop_back();
    totals.max_depth = std::max<std::uint64_t>(totals.max_depth, path.size());
    path.push_back(static_cast<std::int32_t>(row));
    totals.calls += nodes.calls[row];
    if (row != 0 && is_evicted[at(nodes.method[row])]) totals.evicted_calls += nodes.calls[row];
  }
}

}  // namespace copse::report
