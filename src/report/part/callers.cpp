#include "report/part/callers.h"

#include <cstdint>
#include <utility>
#include <vector>

#include "report/model/report_stats.h"
#include "report/part/part_model.h"

namespace copse::report {
namespace {

class Callers {
 public:
  Callers(const ReportModel& model, const MethodChoice& choice)
      : model_(model), is_chosen_(rows()), is_below_(rows()), is_kept_(rows()) {
    for (std::size_t row = 1; row < rows(); ++row) {
      is_chosen_[row] = choice.has_context(model.nodes, row);
      is_below_[row] = is_below_[parent(row)] || is_chosen_[parent(row)];
    }
    is_kept_ = is_chosen_;
    is_kept_[0] = true;
    for (std::size_t row = rows(); row-- > 1;) {
      if (is_kept_[row]) is_kept_[parent(row)] = true;
    }
  }

  PartNodes nodes() const {
    const NumberColumn calls = only(is_chosen_, model_.nodes.calls);
    std::vector<bool> is_outermost(rows());
    for (std::size_t row = 1; row < rows(); ++row) {
      is_outermost[row] = is_chosen_[row] && !is_below_[row];
    }
    std::vector<NumberColumn> measures;
    for (const ReportModel::Measure& measure : model_.measures) {
      measures.push_back(only(is_outermost, inclusive_values(model_.nodes, measure.values)));
    }
    Columns columns{&calls, {}};
    for (const auto& values : measures) columns.measures.push_back(&values);
    return kept_nodes(model_, is_kept_, columns);
  }

 private:
  std::size_t rows() const { return model_.nodes.parent.size(); }
  std::size_t parent(std::size_t row) const {
    return static_cast<std::size_t>(model_.nodes.parent[row]);
  }
  static NumberColumn only(const std::vector<bool>& which, NumberColumn values) {
    for (std::size_t row = 0; row < values.size(); ++row) {
      if (!which[row]) values[row] = 0;
    }
    return values;
  }

  const ReportModel& model_;
  std::vector<bool> is_chosen_;
  std::vector<bool> is_below_;  // by row: has a chosen ancestor
  std::vector<bool> is_kept_;
};

}  // namespace

ReportModel calls_into(const ReportModel& model, const MethodChoice& choice) {
  return part_of(model, Callers(model, choice).nodes(),
                 "The calls of " + in_words(choice) +
                     (model.measures.empty()
                          ? ", in their contexts."
                          : ", in their contexts. Of measures a call has all that was counted "
                            "below it, itself included, but nothing where it is below another one "
                            "of these calls, which has it."));
}

}  // namespace copse::report
