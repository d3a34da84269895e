#include "diff/page_model.h"

#include <utility>

namespace copse::diff {

using report::ReportModel;

ReportModel page_model(Comparison comparison) {
  ReportModel page = std::move(comparison.both);
  ReportModel::Compared compared;
  compared.old_name = comparison.old_name;
  compared.new_name = comparison.new_name;
  for (Renamed& renamed : comparison.renamed) {
    compared.renamed.push_back({std::move(renamed.from), std::move(renamed.to)});
  }
  compared.old_totals = comparison.old_about.totals;
  compared.old_program = comparison.old_about.program;
  page.compared = std::move(compared);
  for (ComparedMeasure& measure : comparison.measures) {
    page.measures.push_back(
        {"old_" + measure.name, measure.unit, measure.old_lost, std::move(measure.old_values)});
  }
  return page;
}

}  // namespace copse::diff
