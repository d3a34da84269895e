#include "report/model/model_builder.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <tuple>
#include <type_traits>
#include <unordered_map>

#include "base/grouped.h"
#include "base/make_room.h"
#include "base/utf8.h"
#include "report/model/measure_view.h"
#include "report/model/report_builder.h"
#include "report/model/row.h"
#include "report/model/slices.h"

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
  void take_methods(ReportModel::Methods& columns);
  // Returns the number of methods with call sites that are not described.
  std::size_t take_sites(ReportModel::Sites& columns);

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
  take_methods(model.methods);
  const std::size_t unknown_sites = take_sites(model.sites);
  const NewNames now = sort_names(model.methods, model.sites);
  renumber(now.method, method_row_);
  renumber(now.site, site_row_);
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

void NameTables::take_methods(ReportModel::Methods& columns) {
  for (std::size_t id = 0; id < method_row_.size(); ++id) {
    if (method_row_[id] == kNone) continue;
    const ProgramTables::Method& method = tables_.methods[id];
    method_row_[id] = add_method(
        {valid_utf8(method.class_name), valid_utf8(method.name), valid_utf8(method.descriptor),
         valid_utf8(method.source), valid_utf8(method.loader), valid_utf8(method.stable_class)},
        columns);
  }
}

std::size_t NameTables::take_sites(ReportModel::Sites& columns) {
  std::size_t methods_with_unknown_sites = 0;
  for (std::size_t id = 0; id < tables_.methods.size(); ++id) {
    const auto& sites = tables_.methods[id].sites;
    for (std::size_t i = 0; i <= sites.size(); ++i) {
      std::int32_t& row = site_row_[first_slot_[id] + i];
      if (row == kNone) continue;
      const bool is_described = i < sites.size();
      if (!is_described) ++methods_with_unknown_sites;
      row = add_site(method_row_[id], is_described ? sites[i].line : -1,
                     is_described ? sites[i].bci : -1, columns);
    }
  }
  return methods_with_unknown_sites;
}

class TreeContexts : public Contexts {
 public:
  TreeContexts(const cct::ContextTree& tree, const NameTables& names)
      : tree_(tree), names_(names) {}

  std::uint32_t count() const override { return tree_.node_count(); }
  std::uint32_t parent(std::uint32_t context) const override {
    return raw(tree_.node(NodeIndex{context}).parent);
  }
  Name name(std::uint32_t context) const override {
    const cct::ContextNode node = tree_.node(NodeIndex{context});
    const MethodId caller = method_of(tree_.node(node.parent).key);
    return {names_.method_row(method_of(node.key)), names_.site_row(caller, node.key)};
  }

 private:
  const cct::ContextTree& tree_;
  const NameTables& names_;
};

// Rows of the children of ROOT, by key.
class Entries {
 public:
  Entries(const cct::ContextTree& tree, const std::vector<std::int32_t>& row_of) {
    for (std::uint32_t i = 1; i < tree.node_count(); ++i) {
      const cct::ContextNode node = tree.node(NodeIndex{i});
      if (raw(node.parent) == 0) row_of_.emplace(node.key, row_of[i]);
    }
  }
  // Returns -1 if there is none.
  std::int64_t row(ContextKey key) const {
    const auto found = row_of_.find(key);
    return found == row_of_.end() ? -1 : found->second;
  }

 private:
  std::unordered_map<ContextKey, std::int32_t> row_of_;
};

// Methods of slices may have no context left.
template <typename Visit>
void each_method(const std::optional<cct::LaidSlices>& slices, Visit visit) {
  if (!slices) return;
  for (const auto& [method, sum] : slices->so_far.sums) {
    visit(method);
    for (const cct::SliceSum::Called& called : sum.called) visit(called.method);
  }
}

void mark_what_occurs(const cct::ContextTree& tree, const std::optional<cct::LaidSlices>& slices,
                      NameTables& names) {
  const std::uint32_t count = tree.node_count();
  for (std::uint32_t i = 1; i < count; ++i) {
    names.reserve_method(method_of(tree.node(NodeIndex{i}).key));
  }
  each_method(slices, [&](MethodId method) { names.reserve_method(method); });
  names.lay_out_sites();
  each_method(slices, [&](MethodId method) { names.mark_method(method); });
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

void sort_threads(ReportModel& model) {
  std::vector<std::size_t> order(model.threads.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t row) {
    const ReportModel::Thread& thread = model.threads[row];
    return std::tie(thread.id, thread.name, thread.calls);
  });
  const auto sort = [&order](auto& column) {
    std::remove_reference_t<decltype(column)> sorted;
    for (const std::size_t row : order) sorted.push_back(std::move(column[row]));
    column = std::move(sorted);
  };
  sort(model.threads);
  for (ReportModel::Measure& measure : model.measures) {
    if (!measure.of_threads.empty()) sort(measure.of_threads);
  }
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
  model.about() = std::move(tables.about());
  model.totals.calls_of = std::move(tables.calls_of);
  model.totals.calls_seen = tables.calls_seen;
  model.totals.calls_lost = tables.calls_lost;
  model.totals.packets = tables.packets;
  model.totals.evicted_contexts = tree.evicted().contexts;
  add_merged(tree.merged(), tables, model.totals);

  NameTables names(tables);
  mark_what_occurs(tree, tables.slices, names);
  names.number(model);
  Rows rows = rows_of(TreeContexts(tree, names));
  const std::size_t count = rows.nodes.parent.size();
  model.nodes = std::move(rows.nodes);
  model.nodes.calls.resize(count);
  for (std::uint32_t i = 0; i < tree.node_count(); ++i) {
    model.nodes.calls[at(rows.row_of[i])] += tree.node(NodeIndex{i}).calls;
  }
  for (ProgramTables::Measure& measure : tables.measures) {
    model.measures.push_back({measure.name, measure.unit, measure.lost,
                              sums_by_row(measure.values, rows.row_of, count)});
    model.measures.back().of_threads = std::move(measure.of_threads);
    give_back(measure.values);
  }
  measure_tree(model);
  model.shown = measure_to_show(model);

  if (tables.slices) {
    model.slices = slices_of(
        *tables.slices, [&](MethodId method) { return names.method_row(method); }, rows.row_of);
  }

  const Entries entries(tree, rows.row_of);
  for (ProgramTables::Thread& thread : tables.threads) {
    model.threads.push_back({thread.id, valid_utf8(thread.name), entries.row(thread.first_key),
                             thread.calls, thread.threads});
    model.totals.threads += thread.threads;
  }
  sort_threads(model);
  make_valid_texts(model);
  std::sort(model.skipped.begin(), model.skipped.end(), [](const auto& a, const auto& b) {
    return std::tie(a.class_name, a.method, a.reason) < std::tie(b.class_name, b.method, b.reason);
  });
  check_the_sum(model);
  return model;
}

}  // namespace copse::report
