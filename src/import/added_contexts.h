// Contexts that a report gets beside its own: for samples of which only a part of the context is
// known. They have no calls, and a call site whose line and bytecode index are -1: one of the caller's
// that is not known. Below ROOT they have none.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "report/model/report_model.h"

namespace copse::join {

// Whether the node is such a one. A call that was recorded at a site that nobody described has calls.
inline bool is_added_context(const report::ReportModel& model, std::size_t row) {
  const std::int32_t site = model.nodes.site[row];
  if (site < 0 || model.nodes.calls[row] != 0) return false;
  const auto at = static_cast<std::size_t>(site);
  return model.sites.line[at] == -1 && model.sites.bci[at] == -1;
}

class AddedContexts {
 public:
  // A row of the report's nodes, or what child() gave; and the same of methods.
  using NodeId = std::size_t;
  using MethodId = std::size_t;

  // The report must outlive it, and stay as it is until put_into().
  explicit AddedContexts(const report::ReportModel& model);

  // What stands for no method of the program, or for several: without descriptor, source and loader.
  MethodId method(const std::string& class_name, const std::string& name);
  // The child of that method; made when it is first asked for.
  NodeId child(NodeId parent, MethodId method);

  // Puts them among the report's nodes, in pre-order and in the order of siblings. `columns`: values by
  // NodeId, which become those of the rows. Cost: linear in the report, when there are any.
  void put_into(report::ReportModel& model, std::span<std::vector<std::uint64_t>> columns) const;

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
