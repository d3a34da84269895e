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
  for (const ComparedMeasure& measure : comparison.measures) {
    if (!measure.in_old) compared.only_new.push_back(measure.name);
    if (!measure.in_new) compared.only_old.push_back(measure.name);
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
