// Matches anonymous, local and generated classes of OLD with their numbers in NEW.
//
// Classes match by stable name (classfile/numbered_class.h). The others have changed code. They are
// paired within their method, in order: with the class that calls the same methods, or with the
// class of the same number as long as no class of the same outer class has another number. An
// ambiguous pair is taken only where both reports have the same number of classes, and is marked
// may_be_another. Classes without a stable name (reports of older versions, classes without such a
// number) keep their names.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "report/model/report_model.h"

namespace copse::diff {

struct Renumbered {
  std::string from, to;         // class names
  bool may_be_another = false;  // other classes fit as well
};

class NumberedClasses {
 public:
  // Prefixes of names until restore(): for classes with a known stable name, and for classes known
  // by number only. No class name begins with them.
  static constexpr const char* kKnown = "\x01 ";
  static constexpr const char* kByNumber = "\x01?";

  // Pairs the classes. Until restore(), stable_class in both reports is a name unique to one pair,
  // or to one unpaired class. Cost: a pass over the methods, and over the nodes where code has
  // changed.
  NumberedClasses(report::ReportModel& old_report, report::ReportModel& new_report);
  ~NumberedClasses();

  // Pairs the remaining classes within classes that are renamed in NEW. `now`: new names by old
  // name. Returns true if there was such a pair.
  bool pair_in_renamed(const std::map<std::string, std::string>& now);

  // Gives the classes of OLD their names in NEW. Returns the pairs with different names, in the
  // order of OLD.
  std::vector<Renumbered> adopt_names();

  // Restores the stable names: NEW's for pairs, OLD's for unpaired classes of OLD. `methods`: those
  // of one report, or of both merged.
  void restore(report::ReportModel::Methods& methods) const;

 private:
  class Pairing;
  std::unique_ptr<Pairing> pairing_;
};

}  // namespace copse::diff
