// A name of methods as a person types or pastes it: a glob (base/glob.h), or a name as any output prints it.
//
//   shop.Db.find          Db.find              Db.find:31 (the line of a call is ignored)
//   shop.Db.find(int)     ...hop.Db.find       find (if no class has that name)
//   Db.find(int): Row (one of several that differ in the result alone)
//   park *                throw NullPointerException
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "report/model/report_model.h"

namespace copse::report {

class TypedName {
 public:
  explicit TypedName(std::string_view typed);

  // Returns the rows of `methods` that the name stands for, among those with `is_eligible`: methods, the methods of a
  // class, or objects of events. If there are none, methods that have this name without their class.
  std::vector<bool> rows(const ReportModel::Methods& methods,
                         const std::vector<bool>& is_eligible) const;
  std::vector<bool> rows(const ReportModel::Methods& methods) const;
  // Returns true if it has no star, so that its author meant one class or method.
  bool is_single() const noexcept { return object_.find('*') == std::string::npos; }

 private:
  bool names(const ReportModel::Methods& methods, std::size_t row) const;
  bool names_alone(const ReportModel::Methods& methods, std::size_t row) const;
  bool has_signature_of(std::string_view descriptor) const;

  std::string object_;     // glob of rows that are no methods
  std::string glob_;       // glob of methods
  std::string signature_;  // "(int,String)", without blanks; "" for methods with any
};

}  // namespace copse::report
