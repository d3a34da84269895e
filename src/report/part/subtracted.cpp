#include "report/part/subtracted.h"

#include <vector>

#include "report/model/row.h"
#include "report/part/part_model.h"

namespace copse::report {

ReportModel subtracted(const ReportModel& model, const MethodChoice& choice) {
  const ReportModel::Nodes& nodes = model.nodes;
  std::vector<bool> is_kept(nodes.parent.size(), true);
  for (std::size_t row = 1; row < is_kept.size(); ++row) {
    is_kept[row] = is_kept[at(nodes.parent[row])] && !choice.has_context(nodes, row);
  }
  return part_of(model, kept_nodes(model, is_kept, columns_of(model)),
                 "Without " + in_words(choice) + " and what they call.");
}

}  // namespace copse::report
