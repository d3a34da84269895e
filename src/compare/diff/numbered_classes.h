// Anonymous, local and generated classes of OLD under the numbers that they have in NEW.
//
// Classes are known by their stable names (classfile/numbered_class.h). Of the others, whose code was changed, those of
// one method are paired in their order: with the class that calls the same methods, or, as long as no class of the same
// outer class has another number, with the one of the same number. A pair that is not the only one that fits is only
// taken where both reports have as many classes, and is told as one that may be another.
// Classes without a stable name (reports of older versions, classes that have no such number) stay as they are.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "report/model/report_model.h"

namespace copse::diff {

struct Renumbered {
  std::string from, to;         // names of classes
  bool may_be_another = false;  // others fit as well
};

class NumberedClasses {
 public:
  // How a name begins until restore(): that of a class whose stable name is known, and that of one which is known by its
  // number alone. No class has such a name.
  static constexpr const char* kKnown = "\x01 ";
  static constexpr const char* kByNumber = "\x01?";

  // Pairs the classes. From here to restore() a report's stable_class is a name that only the classes of one pair have,
  // or one class without another. Cost: a pass over the methods, and over the nodes where code was changed.
  NumberedClasses(report::ReportModel& old_report, report::ReportModel& new_report);
  ~NumberedClasses();

  // Pairs what is left in classes that have another name in NEW. `now`: their names, by that in OLD. Returns whether
  // there was such a pair.
  bool pair_in_renamed(const std::map<std::string, std::string>& now);

  // Gives the classes of OLD the names that they have in NEW. Returns the pairs whose names differ, in the order of OLD.
  std::vector<Renumbered> adopt_names();

  // Gives the stable names back: NEW's, and OLD's of a class without another. `methods`: of one of the reports, or of
  // both.
  void restore(report::ReportModel::Methods& methods) const;

 private:
  class Pairing;
  std::unique_ptr<Pairing> pairing_;
};

}  // namespace copse::diff
