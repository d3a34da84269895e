// Matches methods that have another name in NEW than in OLD.
//
// A method only in OLD matches a method only in NEW when they are alike and no other pair is:
//   * the classes are alike: all methods of a gone class are in a new class, and the simple name is the
//     same or there are two or more such methods; then, method by method;
//   * same class and name, another descriptor: the signature was changed;
//   * same class and descriptor with another name, or same name and descriptor in another class; and also
//     the same callees with a caller in common, or, without callees, the same callers.
// Numbered classes (numbered_classes.h) are excluded: their numbers carry no meaning, and their methods
// share names with those of other classes.
// Callers and callees are methods that made or got a recorded call. Each match counts as equal in the
// search for the next.
#pragma once

#include <string>
#include <vector>

#include "compare/diff/numbered_classes.h"
#include "compare/identity/id_rules.h"
#include "report/model/report_model.h"

namespace copse::diff {

struct Renamed {
  std::string from, to;  // a method as texts show it, or a class with another number; printable
  bool may_be_another = false;  // other classes fit as well (numbered_classes.h)
};

// Gives the methods of `old_report` that are in both reports the names, sources and loaders of
// `new_report`, and the events of these methods the names they have there (moved_events.h). Returns the methods whose name, class or descriptor changed. Without
// `find_renamed`, only spellings equal by `rule` match. `numbered`: the paired classes of both
// reports; nullptr keeps class names as they are. Cost: a pass over the nodes of each report when a
// method is in one report only.
std::vector<Renamed> adopt_names(report::ReportModel& old_report,
                                 const report::ReportModel& new_report, identity::Names rule,
                                 bool find_renamed, NumberedClasses* numbered);

}  // namespace copse::diff
