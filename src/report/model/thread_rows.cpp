#include "report/model/thread_rows.h"

namespace copse::report {

std::optional<std::string_view> thread_of(const ReportModel& model, std::size_t row) {
  if (row == 0 || model.nodes.parent[row] != 0) return std::nullopt;
  const auto method = static_cast<std::size_t>(model.nodes.method[row]);
  const std::string_view name = model.methods.name[method];
  const bool has_class =
      !model.methods.class_name[method].empty() || !model.methods.descriptor[method].empty();
  if (has_class || name.size() < 2 || name.front() != '[' || name.back() != ']')
    return std::nullopt;
  return name.substr(1, name.size() - 2);
}

std::vector<std::size_t> thread_rows(const ReportModel& model) {
  std::vector<std::size_t> rows;
  for (std::size_t row = 1; row < model.nodes.parent.size(); ++row) {
    if (thread_of(model, row)) rows.push_back(row);
  }
  return rows;
}

}  // namespace copse::report
