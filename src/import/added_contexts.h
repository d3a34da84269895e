// Adds contexts to a report for samples whose context is known only in part. Added contexts have no
// calls. Their call site is an unknown one of the caller: line and bytecode index are -1. Below
// ROOT they have no call site.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/number_column.h"
#include "report/model/report_model.h"

namespace copse::join {

// Returns true for an added context. A recorded call at a site without a description has calls and
// is therefore not added.
inline bool is_added_context(const report::ReportModel& model, std::size_t row) {
  const std::int32_t site = model.nodes.site[row];
  if (site < 0 || model.nodes.calls[row] != 0) return false;
  const auto at = static_cast<std::size_t>(site);
  return model.sites.line[at] == -1 && model.sites.bci[at] == -1;
}

class AddedContexts {
 public:
  // A row of the report's nodes or a result of child(); likewise for methods.
  using NodeId = std::size_t;
  using MethodId = std::size_t;

  // REQUIRES: the report outlives this object and does not change until put_into().
  explicit AddedContexts(const report::ReportModel& model);

  // Returns a row that stands for no method of the program, or for several: without descriptor,
  // source and loader.
  MethodId method(const std::string& class_name, const std::string& name);
  // Returns the child with that method; creates it on first use.
  NodeId child(NodeId parent, MethodId method);

  // Inserts the added contexts into the report's nodes, in pre-order and in the order of siblings.
  // `columns`: values by NodeId, converted to values by row. Cost: linear in the report if any were
  // added.
  void put_into(report::ReportModel& model, std::span<NumberColumn> columns) const;

 private:
  struct Added {
    NodeId parent;
    MethodId method;
  };

  const std::size_t rows_;
  const std::size_t method_rows_;
  std::vector<std::pair<std::string, std::string>> methods_;
  std::map<std::pair<std::string, std::string>, MethodId> method_ids_;
  std::vector<Added> nodes_;
  std::map<std::pair<NodeId, MethodId>, NodeId> node_ids_;
};

}  // namespace copse::join
