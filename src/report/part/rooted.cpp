#include "report/part/rooted.h"

#include <cstdint>
#include <utility>
#include <vector>

#include "report/model/report_builder.h"
#include "report/model/row.h"
#include "report/part/part_model.h"

namespace copse::report {
namespace {

// The subtrees of the outermost occurrences, each below ROOT.
class Subtrees : public Contexts {
 public:
  Subtrees(const ReportModel& model, const MethodChoice& choice)
      : nodes_(model.nodes), parent_(nodes_.parent.size(), kLeftOut) {
    parent_[0] = 0;
    for (std::size_t row = 1; row < parent_.size(); ++row) {
      const std::size_t above = at(nodes_.parent[row]);
      if (above != 0 && parent_[above] != kLeftOut) {
        parent_[row] = static_cast<std::uint32_t>(above);
      } else if (choice.has_context(nodes_, row)) {
        parent_[row] = 0;
      }
    }
  }

  std::uint32_t count() const override { return static_cast<std::uint32_t>(parent_.size()); }
  std::uint32_t parent(std::uint32_t row) const override { return parent_[row]; }
  Name name(std::uint32_t row) const override {
    return {nodes_.method[row], parent_[row] == 0 ? -1 : nodes_.site[row]};
  }

 private:
  const ReportModel::Nodes& nodes_;
  std::vector<std::uint32_t> parent_;
};

PartNodes laid_over(const ReportModel& model, const MethodChoice& choice) {
  Rows rows = rows_of(Subtrees(model, choice));
  PartNodes part{std::move(rows.nodes), {}};
  const std::size_t count = part.nodes.parent.size();
  const Columns columns = columns_of(model);
  part.nodes.calls = sums_by_row(*columns.calls, rows.row_of, count);
  for (const auto* values : columns.measures) {
    part.measures.push_back(sums_by_row(*values, rows.row_of, count));
  }
  return part;
}

}  // namespace

ReportModel rooted(const ReportModel& model, const MethodChoice& choice) {
  return part_of(model, laid_over(model, choice),
                 "What " + in_words(choice) +
                     " do, wherever they are called from: the subtrees of their outermost "
                     "occurrences, laid over each other.");
}

}  // namespace copse::report
