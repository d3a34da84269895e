// Call sites that stand elsewhere in their method in NEW than in OLD, because code was added or taken
// away before them.
//
// A method has changed where each report has a call site of it, by index and line, that the other has
// not, or where one makes objects of one numbered class in OLD and of another in NEW: what is added
// before such a line is often as long as the line is. Its sites are a sequence then, by bytecode index
// (by line, where that is the rule), and two of them can be the same when they call a method in common.
// Of all pairings that keep the order the one with most pairs is taken. A pair at the same index and
// line counts as 16, for a method that is what it was keeps its sites, also when a branch was taken in
// one run alone. Where it makes objects of other classes it is not what it was, and such a pair counts
// as one. Of equal pairings that with more pairs at the same index is taken.
#pragma once

#include <cstdint>
#include <vector>

#include "compare/identity/id_rules.h"
#include "report/model/report_model.h"

namespace copse::diff {

struct MovedSites {
  std::uint64_t moved = 0;
  // Sites of OLD for which another one stands in NEW. Until the reports are laid over each other their
  // index is none of any site: the i-th has first_free + i. What they are called in the end.
  struct Displaced {
    std::int32_t bci, line;  // of OLD
  };
  std::vector<Displaced> displaced;
  std::int32_t first_free = 0;
};

// Gives the sites of `old_report` the indexes and lines that they have in `new_report`. Methods have
// NEW's names already (renamed.h). Cost: where a method changed a pass over the nodes of each report, and the
// product of its sites in both.
MovedSites adopt_sites(report::ReportModel& old_report, const report::ReportModel& new_report,
                       const identity::IdRules& rules);

}  // namespace copse::diff
