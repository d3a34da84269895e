// A part of a report as a report of its own: what all ways to cut one share.
//
// What a part says of itself is its own: contexts, calls, measures, depth, methods and sites. Seen
// are its calls and those that were lost. What nobody recorded by context stays that of the whole
// run, and a note says so: what was lost, and which threads there were, of whose calls nothing is
// known.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "report/model/report_model.h"
#include "report/part/method_choice.h"

namespace copse::report {

// The nodes of a part, in pre-order from ROOT on, with indices into the methods and sites of the
// whole report, and a column for each of its measures.
struct PartNodes {
  ReportModel::Nodes nodes;
  std::vector<std::vector<std::uint64_t>> measures;
};

// What a node keeps of its own.
struct Columns {
  const std::vector<std::uint64_t>* calls = nullptr;
  std::vector<const std::vector<std::uint64_t>*> measures;
};
Columns columns_of(const ReportModel& whole);
// The nodes whose rows `is_kept` has, with what `columns` say of them. A kept row's parent is kept.
PartNodes kept_nodes(const ReportModel& whole, const std::vector<bool>& is_kept,
                     const Columns& columns);

// `what`: "Contexts through methods that match demo.Main.work (--focus)." begins the note that says
// how much of the whole this is. Cost: linear in both.
ReportModel part_of(const ReportModel& whole, PartNodes part, const std::string& what);

// "methods that match demo.Main.work (--focus)".
std::string in_words(const MethodChoice& choice);

}  // namespace copse::report
