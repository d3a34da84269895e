// Methods that have another name in NEW than in OLD.
//
// A method of OLD that NEW does not know is one of NEW that OLD does not know when they are alike and
// no other pair is:
//   * the classes are alike: the methods of a class that is gone are those of a new one, and the
//     simple name is the same or there are two such methods or more; then, method by method;
//   * same class and name, another descriptor: the signature was changed;
//   * same class and descriptor, another name, or same name and descriptor in another class; and with
//     them the same callees and a caller in common, or, without callees, the same callers.
// Numbered classes (numbered_classes.h) are not looked for in this way: their number says nothing, and their methods have
// the names of others.
// Callers and callees are those that made or got a recorded call. What was found counts as the same
// when the next one is looked for.
#pragma once

#include <string>
#include <vector>

#include "compare/diff/numbered_classes.h"
#include "compare/identity/id_rules.h"
#include "report/model/report_model.h"

namespace copse::diff {

struct Renamed {
  std::string from, to;  // a method as texts show it, or a class with another number; printable
  bool may_be_another = false;  // others fit as well (numbered_classes.h)
};

// Gives the methods of `old_report` that are in both reports the names, sources and loaders that they
// have in `new_report`; returns those of which the name, class or descriptor is another one. With
// `find_renamed` false only spellings that are equal by `rule`. `numbered`: the classes of both reports, paired; nullptr: are
// as they are. Cost: a pass over the nodes of each report where
// a method is in one of them alone.
std::vector<Renamed> adopt_names(report::ReportModel& old_report,
                                 const report::ReportModel& new_report, identity::Names rule,
                                 bool find_renamed, NumberedClasses* numbered);

}  // namespace copse::diff
