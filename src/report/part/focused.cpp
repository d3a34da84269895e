#include "report/part/focused.h"

#include <utility>
#include <vector>

#include "report/part/part_model.h"

namespace copse::report {

ReportModel focused_on(const ReportModel& model, const std::vector<bool>& is_chosen,
                       const std::string& what) {
  const ReportModel::Nodes& nodes = model.nodes;
  const std::size_t rows = nodes.parent.size();
  const auto parent = [&](std::size_t row) { return static_cast<std::size_t>(nodes.parent[row]); };
  std::vector<bool> is_through(rows);
  for (std::size_t row = 1; row < rows; ++row) {
    is_through[row] = is_chosen[row] || is_through[parent(row)];
  }
  std::vector<bool> is_kept = is_through;
  for (std::size_t row = rows; row-- > 1;) {
    if (is_kept[row]) is_kept[parent(row)] = true;
  }
  is_kept[0] = true;
  PartNodes part = kept_nodes(model, is_kept, columns_of(model));
  for (std::size_t row = 0, now = 0; row < rows; ++row) {
    if (!is_kept[row]) continue;
    if (!is_through[row]) {
      part.nodes.calls[now] = 0;
      for (NumberColumn& values : part.measures) values[now] = 0;
    }
    ++now;
  }
  return part_of(model, std::move(part), what + ", without what their callers did besides.");
}

ReportModel focused(const ReportModel& model, const MethodChoice& choice) {
  std::vector<bool> is_chosen(model.nodes.method.size());
  for (std::size_t row = 1; row < is_chosen.size(); ++row) {
    is_chosen[row] = choice.has_context(model.nodes, row);
  }
  return focused_on(model, is_chosen, "Contexts through " + in_words(choice));
}

}  // namespace copse::report
