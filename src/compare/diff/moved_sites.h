// Matches call sites that are at another place of their method in NEW than in OLD, because code
// before them was added or removed.
//
// A method has changed when each report has a call site of it, by index and line, that the other
// lacks, or when a site creates objects of one numbered class in OLD and of another in NEW. (Code
// added before a line is often as long as the line.) The sites of a changed method form a sequence,
// by bytecode index (by line where the rule says so). Two sites can match when they call a method
// in common. The pairing keeps the order and has the most pairs. A pair at the same index and line
// counts as 16, because an unchanged method keeps its sites, also when only one run took a branch.
// It counts as one when the method creates objects of other classes, since such a method did
// change. Among equal pairings, the one with more pairs at the same index wins.
#pragma once

#include <cstdint>
#include <vector>

#include "compare/identity/id_rules.h"
#include "report/model/report_model.h"

namespace copse::diff {

struct MovedSites {
  std::uint64_t moved = 0;
  // Sites of OLD whose place another site has in NEW. Until the reports are merged, the i-th one
  // has the index first_free + i, which no other site uses. Keeps the final index and line.
  struct Displaced {
    std::int32_t bci, line;  // of OLD
  };
  std::vector<Displaced> displaced;
  std::int32_t first_free = 0;
};

// Gives the sites of `old_report` the indexes and lines that they have in `new_report`. REQUIRES:
// methods have NEW's names (renamed.h). Cost, for changed methods: a pass over the nodes of each
// report, and the product of the method's sites in both.
MovedSites adopt_sites(report::ReportModel& old_report, const report::ReportModel& new_report,
                       const identity::IdRules& rules);

}  // namespace copse::diff
