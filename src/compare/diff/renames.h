// Names that methods and classes of OLD have in NEW, as a person says: --renamed 'OLD=NEW'.
//
// OLD and NEW are globs (base/glob.h) of a method or a class. What a star of OLD takes of a name stands in the place of
// NEW's star; a name without its package or its enclosing classes keeps them. A value for the method itself comes before
// one for its class, and the first of several decides. A renamed method takes the lambdas and numbered classes in it
// along, a renamed class its nested classes. A renamed method has NEW's signature where each report has one method of
// the name.
#pragma once

#include <string>
#include <vector>

#include "base/status.h"
#include "report/model/report_model.h"

namespace copse::diff {

struct Renamed {
  std::string from, to;  // methods, or numbered classes; printable
};

class Renames {
 public:
  // `values`: of --renamed. The error begins with the option.
  static Result<Renames> parse(const std::vector<std::string>& values);

  // Gives the methods, numbered classes and events of `old_report` the names that they have in NEW. Returns the renamed
  // methods that NEW has. The error has the first value that names nothing in OLD, or gives no name of NEW. Cost: a pass
  // over the methods for each value.
  Result<std::vector<Renamed>> apply(report::ReportModel& old_report, const std::string& old_name,
                                     const report::ReportModel& new_report,
                                     const std::string& new_name) const;

  struct Rename {
    std::string from, to;
    std::string in_words() const;  // --renamed 'A.f=A.g'
  };

 private:
  std::vector<Rename> renames_;
};

}  // namespace copse::diff
