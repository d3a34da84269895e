// A part of a report as a report of its own; shared by all ways to cut.
//
// The part's own facts: contexts, calls, measures, depth, methods and sites. Its calls seen are its
// calls and the lost ones. Facts that are not recorded by context stay those of the whole run, and
// a note says so: lost amounts and the list of threads. The part has no calls by thread and no slices.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/number_column.h"
#include "report/model/report_model.h"
#include "report/part/method_choice.h"

namespace copse::report {

// Nodes of a part in pre-order, ROOT first, with indices into the methods and sites of the whole
// report, and a column for each of its measures.
struct PartNodes {
  ReportModel::Nodes nodes;
  std::vector<NumberColumn> measures;
};

// Columns of exclusive amounts that kept nodes take.
struct Columns {
  const NumberColumn* calls = nullptr;
  std::vector<const NumberColumn*> measures;
};
Columns columns_of(const ReportModel& whole);
// Returns the nodes with `is_kept`, with their values of `columns`. REQUIRES: the parent of a kept
// row is kept.
PartNodes kept_nodes(const ReportModel& whole, const std::vector<bool>& is_kept,
                     const Columns& columns);

// Makes the report. `what` begins the note on the share of the whole: "Contexts through methods
// that match demo.Main.work (--focus).". Cost: linear in both.
ReportModel part_of(const ReportModel& whole, PartNodes part, const std::string& what);

// "methods that match demo.Main.work (--focus)", "the context @3fa9 (--root)".
std::string in_words(const MethodChoice& choice);

}  // namespace copse::report
