#include "report/model/model_builder.h"

#include <algorithm>
#include <limits>
#include <tuple>
#include <unordered_map>

#include "base/grouped.h"
#include "base/utf8.h"
#include "report/model/measure_view.h"

namespace copse::report {
namespace {

constexpr std::int32_t kNone = -1;

// Maps method ids and site ordinals to rows of the report. A "slot" is one place in the
// concatenated site lists of all methods; each method has one slot more than sites, for ordinals
// without a description.
class NameTables {
 public:
  explicit NameTables(ProgramTables& tables) : tables_(tables) {}

  // Pass 1: marks ids that occur. Ids beyond the tables extend them by placeholders.
  void reserve_method(MethodId id);
  void lay_out_sites();
  void mark_method(MethodId id) { method_row_[raw(id)] = 0; }
  void mark_site(MethodId caller, ContextKey key) { site_row_[slot(caller, site_of(key))] = 0; }

  // Between the passes: numbers the marked ids and fills the model's columns.
  void number(ReportModel& model);

  // Pass 2.
  std::int32_t method_row(MethodId id) const { return method_row_[raw(id)]; }
  std::int32_t site_row(MethodId caller, ContextKey key) const {
    return has_site(caller, key) ? site_row_[slot(caller, site_of(key))] : kNone;
  }
  bool has_site(MethodId caller, ContextKey key) const {
    return tables_.with_sites && caller != kNoMethod && key != kEvictedKey &&
           site_of(key) != kNoSite;
  }

 private:
  std::size_t slot(MethodId caller, SiteOrdinal site) const {
    const std::size_t known = tables_.methods[raw(caller)].sites.size();
    return first_slot_[raw(caller)] + std::min<std::size_t>(raw(site) - 1u, known);
  }
  void number_methods(ReportModel::Methods& columns);
  std::size_t number_sites(ReportModel::Sites& columns);

  ProgramTables& tables_;
  std::size_t unnamed_methods_ = 0;
  std::vector<std::int32_t> method_row_;  // by method id; kNone: does not occur
  std::vector<std::size_t> first_slot_;   // by method id
  std::vector<std::int32_t> site_row_;    // by slot; kNone: does not occur
};

void NameTables::reserve_method(MethodId id) {
  if (raw(id) >= tables_.methods.size()) {
    tables_.methods.resize(std::max<std::size_t>(tables_.methods.size(), raw(id) + std::size_t{1}));
  }
  ProgramTables::Method& method = tables_.methods[raw(id)];
  if (id == kNoMethod) {  // of evicted contexts' keys
    method = {};
    method.class_name = kEvictedClass;
    method.name = kEvictedName;
    return;
  }
  if (method.class_name.empty() && method.name.empty()) {
    method.class_name = "(unknown)";
    method.name = "method-" + std::to_string(raw(id));
    ++unnamed_methods_;
  }
}

void NameTables::lay_out_sites() {
  method_row_.assign(tables_.methods.size(), kNone);
  first_slot_.reserve(tables_.methods.size());
  std::size_t slots = 0;
  for (const ProgramTables::Method& method : tables_.methods) {
    first_slot_.push_back(slots);
    slots += method.sites.size() + 1;
  }
  site_row_.assign(slots, kNone);
}

void NameTables::number(ReportModel& model) {
  number_methods(model.methods);
  const std::size_t unknown_sites = number_sites(model.sites);
  if (unnamed_methods_ > 0) {
    model.notes.push_back(counted(unnamed_methods_, "method") +
                          " without a name: counts are right, shown as method-ID");
  }
  if (unknown_sites > 0) {
    model.notes.push_back("call sites of " + counted(unknown_sites, "method") +
                          " are not described: contexts that differ only in such a site are shown "
                          "as one");
  }
}

void NameTables::number_methods(ReportModel::Methods& columns) {
  std::vector<std::uint32_t> ids;
  for (std::size_t id = 0; id < method_row_.size(); ++id) {
    if (method_row_[id] != kNone) ids.push_back(static_cast<std::uint32_t>(id));
  }
  for (const std::uint32_t id : ids) {
    ProgramTables::Method& method = tables_.methods[id];
    for (std::string* text : {&method.class_name, &method.name, &method.descriptor, &method.source,
                              &method.loader, &method.stable_class}) {
      make_valid_utf8(*text);
    }
  }
  const auto identity = [this](std::uint32_t id) {
    const ProgramTables::Method& m = tables_.methods[id];
    return std::tie(m.class_name, m.name, m.descriptor, m.loader, m.stable_class);
  };
  std::sort(ids.begin(), ids.end(), [&](std::uint32_t a, std::uint32_t b) {
    return std::tuple_cat(identity(a), std::tie(tables_.methods[a].source, a)) <
           std::tuple_cat(identity(b), std::tie(tables_.methods[b].source, b));
  });
  std::uint32_t previous = 0;
  std::int32_t row = kNone;
  for (const std::uint32_t id : ids) {
    if (row == kNone || identity(previous) != identity(id)) {
      const ProgramTables::Method& method = tables_.methods[id];
      columns.class_name.push_back(method.class_name);
      columns.name.push_back(method.name);
      columns.descriptor.push_back(method.descriptor);
      columns.source.push_back(method.source);
      columns.loader.push_back(method.loader);
      columns.stable_class.push_back(method.stable_class);
      ++row;
    }
    method_row_[id] = row;
    previous = id;
  }
}

std::size_t NameTables::number_sites(ReportModel::Sites& columns) {
  struct Site {
    std::int32_t method, line, bci;
    std::size_t slot;
    auto identity() const { return std::tie(method, line, bci); }
  };
  std::size_t methods_with_unknown_sites = 0;
  std::vector<Site> found;
  for (std::size_t id = 0; id < tables_.methods.size(); ++id) {
    const auto& sites = tables_.methods[id].sites;
    for (std::size_t i = 0; i <= sites.size(); ++i) {
      const std::size_t slot = first_slot_[id] + i;
      if (site_row_[slot] == kNone) continue;
      if (i == sites.size()) {
        ++methods_with_unknown_sites;
        found.push_back({method_row_[id], -1, -1, slot});
      } else {
        found.push_back({method_row_[id], sites[i].line, sites[i].bci, slot});
      }
    }
  }
  std::sort(found.begin(), found.end(),
            [](const Site& a, const Site& b) { return a.identity() < b.identity(); });
  const Site* previous = nullptr;
  for (const Site& site : found) {
    if (previous == nullptr || previous->identity() != site.identity()) {
      columns.method.push_back(site.method);
      columns.bci.push_back(site.bci);
      columns.line.push_back(site.line);
    }
    site_row_[site.slot] = static_cast<std::int32_t>(columns.method.size() - 1);
    previous = &site;
  }
  return methods_with_unknown_sites;
}

// The children of every node, in one array (compressed rows): children of n are
// list[first[n] .. first[n + 1]).
struct ChildLists {
  std::vector<std::uint32_t> first, list;

  explicit ChildLists(const cct::ContextTree& tree)
      : first(tree.node_count() + std::size_t{1}, 0), list(tree.node_count()) {
    const std::uint32_t count = tree.node_count();
    for (std::uint32_t i = 1; i < count; ++i) ++first[raw(tree.node(NodeIndex{i}).parent) + 1u];
    for (std::uint32_t i = 0; i < count; ++i) first[i + 1u] += first[i];
    // Filling from the back moves each start to where its predecessor's end was; going downwards
    // keeps it in place in the end.
    for (std::uint32_t i = count; i-- > 1;) {
      const std::uint32_t parent = raw(tree.node(NodeIndex{i}).parent);
      list[--first[parent + 1u]] = i;
    }
    // Now first[p + 1] is the start of p's children: shift down by one.
    std::copy(first.begin() + 1, first.end(), first.begin());
    first.back() = count == 0 ? 0 : count - 1;
  }
};

// Emits rows in pre-order. Equal siblings lie beside each other on the stack and are emitted as one
// row whose children are those of all of them.
class RowWriter {
 public:
  // `metrics`: their values go into the model's measures, which are in the same order.
  RowWriter(const cct::ContextTree& tree, const NameTables& names,
            const std::vector<ProgramTables::Measure>& measures, ReportModel& model)
      : tree_(tree), names_(names), measures_(measures), model_(model) {}

  void write();
  // Row of the ROOT child with this key, or -1.
  std::int64_t row_of_entry(ContextKey key) const {
    const auto found = row_of_entry_.find(key);
    return found == row_of_entry_.end() ? -1 : found->second;
  }

 private:
  struct Pending {
    std::uint32_t node;
    std::int32_t parent_row;
    std::uint32_t depth;
    bool equals_next;  // the entry below on the stack is the same context
  };
  struct Child {
    std::uint64_t order;  // method row, then site row: the order of siblings
    std::uint32_t node;
  };

  void add_measures(const std::vector<std::uint32_t>& group);
  void push_children(const std::vector<std::uint32_t>& group, std::int32_t row,
                     std::uint32_t depth);

  const cct::ContextTree& tree_;
  const NameTables& names_;
  const std::vector<ProgramTables::Measure>& measures_;
  ReportModel& model_;
  ReportModel::Nodes& nodes_ = model_.nodes;
  ReportModel::Totals& totals_ = model_.totals;
  std::vector<Pending> stack_;
  std::vector<Child> children_;
  const ChildLists lists_{tree_};
  std::unordered_map<ContextKey, std::int32_t> row_of_entry_;
};

void RowWriter::push_children(const std::vector<std::uint32_t>& group, std::int32_t row,
                              std::uint32_t depth) {
  children_.clear();
  for (const std::uint32_t parent : group) {
    const MethodId caller = method_of(tree_.node(NodeIndex{parent}).key);
    for (std::uint32_t i = lists_.first[parent]; i < lists_.first[parent + std::size_t{1}]; ++i) {
      const std::uint32_t child = lists_.list[i];
      const ContextKey key = tree_.node(NodeIndex{child}).key;
      const auto method = static_cast<std::uint64_t>(names_.method_row(method_of(key)));
      const auto site = static_cast<std::uint64_t>(names_.site_row(caller, key) + 1);
      children_.push_back({method << 32 | site, child});
    }
  }
  std::sort(children_.begin(), children_.end(),
            [](const Child& a, const Child& b) { return a.order < b.order; });
  for (std::size_t i = children_.size(); i-- > 0;) {
    const bool equals_next =
        i + 1 < children_.size() && children_[i + 1].order == children_[i].order;
    stack_.push_back({children_[i].node, row, depth, equals_next});
  }
}

// A new row's, which stands for all nodes of the group.
void RowWriter::add_measures(const std::vector<std::uint32_t>& group) {
  for (std::size_t i = 0; i < measures_.size(); ++i) {
    const std::vector<std::uint64_t>& values = measures_[i].values;
    std::uint64_t sum = 0;
    for (const std::uint32_t node : group) sum += node < values.size() ? values[node] : 0;
    model_.measures[i].values.push_back(sum);
  }
}

void RowWriter::write() {
  const std::size_t count = tree_.node_count();
  nodes_.parent.reserve(count);
  nodes_.method.reserve(count);
  nodes_.site.reserve(count);
  nodes_.calls.reserve(count);
  stack_.push_back({0, kNone, 0, false});
  std::vector<std::uint32_t> group;
  while (!stack_.empty()) {
    group.clear();
    const auto row = static_cast<std::int32_t>(nodes_.parent.size());
    std::uint64_t calls = 0;
    Pending item;
    do {
      item = stack_.back();
      stack_.pop_back();
      const cct::ContextNode node = tree_.node(NodeIndex{item.node});
      group.push_back(item.node);
      calls += node.calls;
      if (item.parent_row == 0) row_of_entry_.emplace(node.key, row);
    } while (item.equals_next);

    const cct::ContextNode node = tree_.node(NodeIndex{group.front()});
    const bool is_root = item.parent_row == kNone;
    const MethodId caller = method_of(tree_.node(node.parent).key);
    nodes_.parent.push_back(item.parent_row);
    nodes_.method.push_back(is_root ? kNone : names_.method_row(method_of(node.key)));
    nodes_.site.push_back(is_root ? kNone : names_.site_row(caller, node.key));
    nodes_.calls.push_back(calls);
    add_measures(group);
    totals_.calls += calls;
    totals_.max_depth = std::max<std::uint64_t>(totals_.max_depth, item.depth);
    push_children(group, row, item.depth + 1);
  }
  totals_.contexts = nodes_.parent.size() - 1;
}

void mark_what_occurs(const cct::ContextTree& tree, NameTables& names) {
  const std::uint32_t count = tree.node_count();
  for (std::uint32_t i = 1; i < count; ++i) {
    names.reserve_method(method_of(tree.node(NodeIndex{i}).key));
  }
  names.lay_out_sites();
  for (std::uint32_t i = 1; i < count; ++i) {
    const cct::ContextNode node = tree.node(NodeIndex{i});
    names.mark_method(method_of(node.key));
    const MethodId caller = method_of(tree.node(node.parent).key);
    if (names.has_site(caller, node.key)) names.mark_site(caller, node.key);
  }
}

void make_valid_texts(ReportModel& model) {
  make_valid_utf8(model.created_by);
  make_valid_utf8(model.program.runtime);
  make_valid_utf8(model.program.started);
  for (std::string& word : model.program.command) make_valid_utf8(word);
  for (ReportModel::Skipped& skipped : model.skipped) {
    make_valid_utf8(skipped.class_name);
    make_valid_utf8(skipped.method);
    make_valid_utf8(skipped.reason);
  }
  for (std::string& note : model.notes) make_valid_utf8(note);
  std::map<std::string, std::string> options;
  for (auto& [key, value] : model.options) {
    options.emplace(valid_utf8(key), valid_utf8(value));
  }
  model.options = std::move(options);
}

void add_merged(const cct::MergedRecursion& merged, const ProgramTables& tables,
                ReportModel::Totals& totals) {
  totals.merged_methods = merged.methods.size();
  if (merged.all) totals.merged_methods = tables.methods.empty() ? 0 : tables.methods.size() - 1;
  for (const std::uint32_t depth : merged.depth_at_least) {
    totals.merged_depth_at_least = std::max<std::uint64_t>(totals.merged_depth_at_least, depth);
  }
}

void check_the_sum(ReportModel& model) {
  const ReportModel::Totals& t = model.totals;
  if (t.calls_seen == t.calls + t.calls_lost) return;
  model.notes.push_back("DEFECT: the probes saw " + counted(t.calls_seen, "call") +
                        ", but in nodes there are " + grouped(t.calls) + ", and known to be lost " +
                        grouped(t.calls_lost) +
                        ": these counts cannot be trusted, please report it");
}

}  // namespace

Result<ReportModel> build_model(const cct::ContextTree& tree, ProgramTables tables) {
  if (tree.node_count() == 0)
    return Status::error(Fault::kInternal, "report: the context tree has no root");
  if (tree.node_count() > std::uint32_t{std::numeric_limits<std::int32_t>::max()}) {
    return Status::error(Fault::kLimit,
                         "report: " + std::to_string(tree.node_count()) +
                             " contexts are more than a report can number (2147483647)");
  }
  ReportModel model;
  model.created_by = std::move(tables.created_by);
  model.program = std::move(tables.program);
  model.options = std::move(tables.options);
  model.skipped = std::move(tables.skipped);
  model.notes = std::move(tables.notes);
  model.totals.calls_of = std::move(tables.calls_of);
  model.totals.calls_seen = tables.calls_seen;
  model.totals.calls_lost = tables.calls_lost;
  model.totals.packets = tables.packets;
  model.totals.evicted_calls = tree.evicted().calls;
  model.totals.evicted_contexts = tree.evicted().contexts;
  add_merged(tree.merged(), tables, model.totals);

  NameTables names(tables);
  mark_what_occurs(tree, names);
  names.number(model);
  for (const ProgramTables::Measure& measure : tables.measures) {
    model.measures.push_back({measure.name, measure.unit, measure.lost, {}});
  }
  RowWriter rows(tree, names, tables.measures, model);
  rows.write();
  model.shown = measure_to_show(model);

  for (ProgramTables::Thread& thread : tables.threads) {
    model.threads.push_back({thread.id, valid_utf8(thread.name),
                             rows.row_of_entry(thread.first_key), thread.calls, thread.threads});
    model.totals.threads += thread.threads;
  }
  std::sort(model.threads.begin(), model.threads.end(), [](const auto& a, const auto& b) {
    return std::tie(a.id, a.name, a.calls) < std::tie(b.id, b.name, b.calls);
  });
  make_valid_texts(model);
  std::sort(model.skipped.begin(), model.skipped.end(), [](const auto& a, const auto& b) {
    return std::tie(a.class_name, a.method, a.reason) < std::tie(b.class_name, b.method, b.reason);
  });
  check_the_sum(model);
  return model;
}

}  // namespace copse::report
