#include "report/part/hidden.h"

#include <cstdint>
#include <utility>
#include <vector>

#include "report/model/report_builder.h"
#include "report/model/row.h"
#include "report/part/part_model.h"

namespace copse::report {
namespace {

class Visible : public Contexts {
 public:
  Visible(const ReportModel& model, const MethodChoice& choice)
      : nodes_(model.nodes), visible_(nodes_.parent.size()) {
    for (std::size_t row = 1; row < visible_.size(); ++row) {
      const std::uint32_t caller = visible_[at(nodes_.parent[row])];
      const bool is_hidden = caller != 0 && choice.has(nodes_.method[row]);
      visible_[row] = is_hidden ? caller : static_cast<std::uint32_t>(row);
    }
  }

  // Returns the context itself, or its nearest caller that stays.
  std::uint32_t visible(std::uint32_t row) const { return visible_[row]; }

  std::uint32_t count() const override { return static_cast<std::uint32_t>(visible_.size()); }
  std::uint32_t parent(std::uint32_t row) const override {
    if (row == 0) return 0;
    return visible_[row] == row ? visible_[at(nodes_.parent[row])] : kLeftOut;
  }
  Name name(std::uint32_t row) const override {
    const auto caller = static_cast<std::uint32_t>(nodes_.parent[row]);
    return {nodes_.method[row], visible_[caller] == caller ? nodes_.site[row] : -1};
  }

 private:
  const ReportModel::Nodes& nodes_;
  std::vector<std::uint32_t> visible_;
};

}  // namespace

ReportModel without_frames(const ReportModel& model, const MethodChoice& choice) {
  const Visible contexts(model, choice);
  Rows rows = rows_of(contexts);
  PartNodes part{std::move(rows.nodes), {}};
  const std::size_t count = part.nodes.parent.size();
  const Columns columns = columns_of(model);
  part.nodes.calls = sums_by_row(*columns.calls, rows.row_of, count);
  for (std::uint32_t row = 1; row < contexts.count(); ++row)
    rows.row_of[row] = rows.row_of[contexts.visible(row)];
  for (const auto* values : columns.measures) {
    part.measures.push_back(sums_by_row(*values, rows.row_of, count));
  }
  return part_of(
      model, std::move(part),
      "Without the frames of " + in_words(choice) +
          ": what they have is their callers', but for their calls. A thread's first frame stays.");
}

}  // namespace copse::report
