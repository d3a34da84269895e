#include "fleet/slice_model.h"

#include <algorithm>
#include <tuple>
#include <unordered_map>

#include "compare/identity/stable_ids.h"
#include "fleet/tables.h"
#include "report/model/pre_order.h"

namespace copse::fleet {
namespace {

using report::kBelowRoot;
using report::ReportModel;

struct HashOfId {
  // The id is a hash itself.
  std::size_t operator()(const StableId& id) const noexcept {
    std::size_t value = 0;
    for (std::size_t i = 0; i < sizeof value; ++i) value = value << 8 | id.bytes[i];
    return value;
  }
};

class Builder {
 public:
  explicit Builder(const SliceRows& rows) : rows_(rows) {}

  Result<ReportModel> build() {
    for (const auto step : {&Builder::take_methods, &Builder::find_contexts, &Builder::take_values,
                            &Builder::leave_out_empty_ones, &Builder::write_nodes}) {
      if (Status status = (this->*step)(); !status) return status;
    }
    return std::move(model_);
  }

 private:
  // In the order of a report's methods; the map's own order is that of hashes.
  Status take_methods() {
    std::vector<std::pair<const identity::MethodKey*, StableId>> in_order;
    for (const auto& [id, key] : rows_.methods) in_order.emplace_back(&key, id);
    std::sort(in_order.begin(), in_order.end(),
              [](const auto& a, const auto& b) { return *a.first < *b.first; });
    for (const auto& [key, id] : in_order) {
      method_rows_[id] = static_cast<std::int32_t>(model_.methods.name.size());
      model_.methods.class_name.push_back(key->class_name);
      model_.methods.name.push_back(key->name);
      model_.methods.descriptor.push_back(key->descriptor);
      model_.methods.source.emplace_back();
      model_.methods.loader.emplace_back();
      model_.methods.stable_class.emplace_back();
    }
    return {};
  }

  Status find_contexts() {
    index_.reserve(rows_.contexts.size());
    for (std::uint32_t i = 0; i < rows_.contexts.size(); ++i) {
      index_[rows_.contexts[i].id] = i;
      const auto method = method_rows_.find(rows_.contexts[i].method);
      if (method == method_rows_.end()) {
        return missing("the method of context", rows_.contexts[i].id);
      }
      methods_.push_back(method->second);
    }
    const StableId root = identity::root_id(identity::IdRules());
    parents_.resize(rows_.contexts.size(), kBelowRoot);
    for (std::size_t i = 0; i < parents_.size(); ++i) {
      const StableId& parent = rows_.contexts[i].parent;
      if (parent == root) continue;
      const auto found = index_.find(parent);
      if (found == index_.end()) return missing("the parent of context", rows_.contexts[i].id);
      parents_[i] = found->second;
    }
    return {};
  }

  Status take_values() {
    columns_.assign(1 + rows_.values.size(), std::vector<std::uint64_t>(parents_.size()));
    for (std::size_t column = 0; column < columns_.size(); ++column) {
      for (const SliceRows::Value& row : column == 0 ? rows_.calls : rows_.values[column - 1]) {
        const auto found = index_.find(row.context);
        if (found == index_.end()) return missing("context", row.context);
        columns_[column][found->second] += row.value;
      }
    }
    return {};
  }

  // Keeps contexts with a value, and their ancestors.
  Status leave_out_empty_ones() {
    is_kept_.resize(parents_.size());
    for (std::uint32_t i = 0; i < parents_.size(); ++i) {
      const bool has_value = std::any_of(columns_.begin(), columns_.end(),
                                         [i](const auto& column) { return column[i] != 0; });
      if (!has_value) continue;
      for (std::uint32_t at = i; at != kBelowRoot && !is_kept_[at]; at = parents_[at]) {
        is_kept_[at] = true;
      }
    }
    return {};
  }

  // Key of the order of siblings; distinct for each.
  auto order_of(std::size_t i) const {
    const SliceRows::Context& context = rows_.contexts[i];
    return std::tie(methods_[i], context.line, context.bci, context.id);
  }

  Status write_nodes() {
    std::vector<std::uint32_t> in_order;
    for (std::uint32_t i = 0; i < parents_.size(); ++i) {
      if (is_kept_[i]) in_order.push_back(i);
    }
    std::sort(in_order.begin(), in_order.end(),
              [this](std::uint32_t a, std::uint32_t b) { return order_of(a) < order_of(b); });
    for (const ReportModel::Measure& measure : rows_.measures) {
      model_.measures.push_back(measure);
      model_.measures.back().values = {0};
    }
    add_node(-1, -1, -1, 0);
    for (const auto& [i, parent, depth] : report::pre_order(parents_, in_order)) {
      const std::int32_t method = methods_[i];
      add_node(parent, method, site_of(rows_.contexts[i], parent), columns_[0][i]);
      for (std::size_t m = 0; m < model_.measures.size(); ++m) {
        model_.measures[m].values.push_back(columns_[m + 1][i]);
      }
      model_.totals.max_depth = std::max<std::uint64_t>(model_.totals.max_depth, depth);
      if (is_evicted_method(model_.methods, static_cast<std::size_t>(method))) {
        model_.totals.evicted_calls += columns_[0][i];
      }
    }
    model_.totals.contexts = model_.nodes.parent.size() - 1;
    // A cycle of parents is not reachable from ROOT.
    return model_.totals.contexts == in_order.size()
               ? Status()
               : Status::error(Fault::kMalformed, "contexts of the fleet hang below each other");
  }

  void add_node(std::int32_t parent, std::int32_t method, std::int32_t site, std::uint64_t calls) {
    model_.nodes.parent.push_back(parent);
    model_.nodes.method.push_back(method);
    model_.nodes.site.push_back(site);
    model_.nodes.calls.push_back(calls);
    model_.totals.calls += calls;
  }

  std::int32_t site_of(const SliceRows::Context& context, std::int32_t parent) {
    if (parent == 0 || context.bci == kNoSite) return -1;
    const std::int32_t caller = model_.nodes.method[static_cast<std::size_t>(parent)];
    const auto [found, is_new] =
        sites_.try_emplace(std::tuple(caller, context.line, context.bci),
                           static_cast<std::int32_t>(model_.sites.method.size()));
    if (is_new) {
      model_.sites.method.push_back(caller);
      model_.sites.bci.push_back(context.bci);
      model_.sites.line.push_back(context.line);
    }
    return found->second;
  }

  static Status missing(const std::string& what, const StableId& id) {
    return Status::error(Fault::kMalformed,
                         what + ' ' + hex(id) + " is not there; send its runs again");
  }

  const SliceRows& rows_;
  std::unordered_map<StableId, std::uint32_t, HashOfId> index_;  // of contexts
  std::unordered_map<StableId, std::int32_t, HashOfId> method_rows_;
  std::vector<std::int32_t> methods_;  // by context, like the next columns
  std::vector<std::uint32_t> parents_;
  std::vector<std::vector<std::uint64_t>> columns_;  // calls, then the measures
  std::vector<bool> is_kept_;
  std::map<std::tuple<std::int32_t, std::int32_t, std::int32_t>, std::int32_t> sites_;
  ReportModel model_;
};

}  // namespace

Result<ReportModel> model_of_rows(const SliceRows& rows) { return Builder(rows).build(); }

}  // namespace copse::fleet
