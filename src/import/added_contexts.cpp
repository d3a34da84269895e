#include "import/added_contexts.h"

#include <utility>

#include "report/model/report_builder.h"
#include "report/model/row.h"
#include "report/model/slices.h"

namespace copse::join {
namespace {

using report::ReportModel;

using report::at;

// The contexts of a report, in their order, and the added ones.
class AllContexts : public report::Contexts {
 public:
  explicit AllContexts(const ReportModel::Nodes& nodes) : nodes_(nodes) {}

  std::uint32_t count() const override { return static_cast<std::uint32_t>(nodes_.parent.size()); }
  std::uint32_t parent(std::uint32_t context) const override {
    return context == 0 ? 0 : static_cast<std::uint32_t>(nodes_.parent[context]);
  }
  Name name(std::uint32_t context) const override {
    return {nodes_.method[context], nodes_.site[context]};
  }

 private:
  const ReportModel::Nodes& nodes_;
};

bool is_unknown_site(const ReportModel::Sites& sites, std::size_t row) {
  return sites.line[row] == -1 && sites.bci[row] == -1;
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

// Appends methods, call sites and contexts, and lays all out.
void AddedContexts::put_into(ReportModel& model, std::span<NumberColumn> columns) const {
  const std::size_t all = rows_ + nodes_.size();
  for (NumberColumn& column : columns) column.resize(all);
  if (nodes_.empty()) return;
  for (const auto& [class_name, name] : methods_) {
    add_method({class_name, name, "", "", "", ""}, model.methods);
  }
  std::map<std::int32_t, std::int32_t> unknown_site = {{-1, -1}};  // by caller; ROOT has none
  for (std::size_t row = 0; row < model.sites.method.size(); ++row) {
    if (!is_unknown_site(model.sites, row)) continue;
    unknown_site.emplace(model.sites.method[row], static_cast<std::int32_t>(row));
  }
  ReportModel::Nodes& nodes = model.nodes;
  for (const Added& added : nodes_) {
    const std::int32_t caller = nodes.method[added.parent];
    const auto [site, is_new] = unknown_site.try_emplace(caller, -1);
    if (is_new) site->second = add_site(caller, -1, -1, model.sites);
    nodes.parent.push_back(static_cast<std::int32_t>(added.parent));
    nodes.method.push_back(static_cast<std::int32_t>(added.method));
    nodes.site.push_back(site->second);
  }
  const report::NewNames now = sort_names(model.methods, model.sites);
  report::renumber(now.method, nodes.method);
  report::renumber(now.site, nodes.site);

  report::Rows rows = rows_of(AllContexts(nodes));
  const std::size_t count = rows.nodes.parent.size();
  rows.nodes.calls = report::sums_by_row(nodes.calls, rows.row_of, count);
  nodes = std::move(rows.nodes);
  for (ReportModel::Measure& measure : model.measures) {
    measure.values = report::sums_by_row(measure.values, rows.row_of, count);
  }
  for (NumberColumn& column : columns) {
    column = report::sums_by_row(column, rows.row_of, count);
  }
  move_threads(rows.row_of, model.threads);
  report::move_slices(now.method, rows.row_of, model.slices);
  measure_tree(model);
}

}  // namespace copse::join
