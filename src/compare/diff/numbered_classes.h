// Matches anonymous, local and generated classes of OLD with their numbers in NEW.
//
// Classes are the same when their stable names are: the class and the method around them, and their code
// (classfile/numbered_class.h). Several of one stable name are told apart by their numbers. Where no number is in both
// reports, they are one class without a number, because nothing tells whether the numbers moved, or other classes of the
// same code ran. Numbers did move where a number has another class in NEW; a single class then has NEW's.
// A class whose code has changed is known by its number and the method around it, unless numbers of the class around it
// may have moved. Classes without a stable name (reports of older versions) are known by their numbers.
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "compare/diff/renames.h"
#include "report/model/report_model.h"

namespace copse::diff {

class NumberedClasses {
 public:
  // Gives classes that are the same one name: NEW's, or the one without numbers. Until restore(), stable_class in both is
  // a text of its own for each class. Cost: a pass over the methods of both reports.
  NumberedClasses(report::ReportModel& old_report, report::ReportModel& new_report);

  // Pairs with another number in NEW, in the order of OLD.
  const std::vector<Renamed>& renumbered() const { return renumbered_; }

  // Restores the stable names: NEW's, and OLD's where NEW has no such class.
  void restore(report::ReportModel::Methods& methods) const;

 private:
  std::unordered_map<std::string, std::string> stable_of_text_;
  std::vector<Renamed> renumbered_;
};

}  // namespace copse::diff
