#include "fleet/selection_model.h"

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "compare/identity/stable_ids.h"
#include "fleet/tables.h"
#include "report/model/report_builder.h"

namespace copse::fleet {
namespace {

using report::ReportModel;

struct HashOfId {
  // The id is a hash itself.
  std::size_t operator()(const StableId& id) const noexcept {
    std::size_t value = 0;
    for (std::size_t i = 0; i < sizeof value; ++i) value = value << 8 | id.bytes[i];
    return value;
  }
};

// Contexts by their rows; the context after the last one is ROOT.
struct SelectionContexts : report::Contexts {
  std::uint32_t count() const override { return static_cast<std::uint32_t>(parents.size()); }
  std::uint32_t parent(std::uint32_t context) const override { return parents[context]; }
  Name name(std::uint32_t context) const override { return {methods[context], sites[context]}; }

  std::vector<std::uint32_t> parents;
  std::vector<std::int32_t> methods, sites;
};

class Builder {
 public:
  explicit Builder(const SelectionRows& rows)
      : rows_(rows), root_(static_cast<std::uint32_t>(rows.contexts.size())) {}

  Result<ReportModel> build() {
    take_methods();
    for (const auto step : {&Builder::find_contexts, &Builder::take_values}) {
      if (Status status = (this->*step)(); !status) return status;
    }
    const std::uint32_t wanted = leave_out_empty_ones();
    take_sites();
    report::Rows laid_out = rows_of(contexts_);
    // A circle of parents is not reachable from ROOT.
    const auto placed = [](std::int32_t row) { return row > 0; };
    if (std::count_if(laid_out.row_of.begin(), laid_out.row_of.end(), placed) != wanted) {
      return Status::error(Fault::kMalformed, "contexts of the fleet hang below each other");
    }
    model_.nodes = std::move(laid_out.nodes);
    const std::size_t count = model_.nodes.parent.size();
    model_.nodes.calls = report::sums_by_row(columns_[0], laid_out.row_of, count);
    for (const ReportModel::Measure& measure : rows_.measures) {
      model_.measures.push_back(measure);
      model_.measures.back().values =
          report::sums_by_row(columns_[model_.measures.size()], laid_out.row_of, count);
    }
    measure_tree(model_);
    return std::move(model_);
  }

 private:
  void take_methods() {
    for (const auto& [id, key] : rows_.methods) {
      method_rows_[id] =
          add_method({key.class_name, key.name, key.descriptor, "", "", ""}, model_.methods);
    }
  }

  Status find_contexts() {
    index_.reserve(rows_.contexts.size());
    for (std::uint32_t i = 0; i < root_; ++i) {
      index_[rows_.contexts[i].id] = i;
      const auto method = method_rows_.find(rows_.contexts[i].method);
      if (method == method_rows_.end()) {
        return missing("the method of context", rows_.contexts[i].id);
      }
      contexts_.methods.push_back(method->second);
    }
    index_[identity::root_id(identity::IdRules())] = root_;
    for (const SelectionRows::Context& context : rows_.contexts) {
      const auto found = index_.find(context.parent);
      if (found == index_.end()) return missing("the parent of context", context.id);
      contexts_.parents.push_back(found->second);
    }
    contexts_.parents.push_back(root_);
    return {};
  }

  Status take_values() {
    columns_.assign(1 + rows_.values.size(), NumberColumn(rows_.contexts.size()));
    for (std::size_t column = 0; column < columns_.size(); ++column) {
      for (const SelectionRows::Value& row : column == 0 ? rows_.calls : rows_.values[column - 1]) {
        const auto found = index_.find(row.context);
        if (found == index_.end() || found->second == root_) return missing("context", row.context);
        columns_[column][found->second] += row.value;
      }
    }
    return {};
  }

  // Keeps contexts with a value, and their ancestors. Returns their number.
  std::uint32_t leave_out_empty_ones() {
    std::vector<std::uint32_t>& parents = contexts_.parents;
    std::vector<bool> is_kept(root_);
    std::uint32_t kept = 0;
    for (std::uint32_t i = 0; i < root_; ++i) {
      const bool has_value = std::any_of(columns_.begin(), columns_.end(),
                                         [i](const auto& column) { return column[i] != 0; });
      if (!has_value) continue;
      for (std::uint32_t at = i; at != root_ && !is_kept[at]; at = parents[at]) {
        is_kept[at] = true;
        ++kept;
      }
    }
    for (std::uint32_t i = 0; i < root_; ++i) {
      if (!is_kept[i]) parents[i] = report::Contexts::kLeftOut;
    }
    return kept;
  }

  void take_sites() {
    for (std::uint32_t i = 0; i < root_; ++i) {
      const SelectionRows::Context& context = rows_.contexts[i];
      const std::uint32_t caller = contexts_.parents[i];
      const bool has_site =
          caller != report::Contexts::kLeftOut && caller != root_ && context.bci != kNoSite;
      contexts_.sites.push_back(
          has_site ? add_site(contexts_.methods[caller], context.line, context.bci, model_.sites)
                   : -1);
    }
    const report::NewNames now = sort_names(model_.methods, model_.sites);
    report::renumber(now.method, contexts_.methods);
    report::renumber(now.site, contexts_.sites);
  }

  static Status missing(const std::string& what, const StableId& id) {
    return Status::error(Fault::kMalformed,
                         what + ' ' + hex(id) + " is not there; send its runs again");
  }

  const SelectionRows& rows_;
  const std::uint32_t root_;
  std::unordered_map<StableId, std::uint32_t, HashOfId> index_;  // of contexts
  std::unordered_map<StableId, std::int32_t, HashOfId> method_rows_;
  SelectionContexts contexts_;
  std::vector<NumberColumn> columns_;  // by context: calls, then the measures
  ReportModel model_;
};

}  // namespace

Result<ReportModel> model_of_rows(const SelectionRows& rows) { return Builder(rows).build(); }

}  // namespace copse::fleet
