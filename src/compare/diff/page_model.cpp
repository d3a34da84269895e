#include "compare/diff/writers.h"

#include <utility>

namespace copse::diff {

using report::ReportModel;

ReportModel page_model(Comparison comparison) {
  const std::string part = part_in_words(comparison);
  ReportModel page = std::move(comparison.both);
  ReportModel::Compared compared;
  compared.old_name = comparison.old_name;
  compared.new_name = comparison.new_name;
  compared.id_rules = identity::in_words(comparison.rules);
  for (Renamed& renamed : comparison.renamed) {
    compared.renamed.push_back({std::move(renamed.from), std::move(renamed.to)});
  }
  for (const ComparedMeasure& measure : comparison.measures) {
    if (measure.in_old == measure.in_new) continue;
    (measure.in_new ? compared.only_new : compared.only_old).push_back(measure.name);
  }
  compared.old_totals = comparison.old_about.totals;
  compared.old_program = comparison.old_about.program;
  compared.old_threads = std::move(comparison.old_about.threads);
  compared.old_notes = std::move(comparison.old_about.notes);
  compared.new_notes = std::move(page.notes);
  compared.rules = std::move(comparison.judged);
  page.notes.clear();
  page.timeline = {};  // of both runs together there is none
  if (!part.empty())
    page.notes.push_back("Only " + part + ". Threads are those of the whole runs.");
  page.compared = std::move(compared);
  for (ComparedMeasure& measure : comparison.measures) {
    page.measures.push_back({report::kOldMeasure + measure.name, measure.unit, measure.old_lost,
                             std::move(measure.old_values), std::move(measure.old_of_threads)});
  }
  return page;
}

}  // namespace copse::diff
