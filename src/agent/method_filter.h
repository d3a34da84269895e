// Chooses the classes and methods that get probes, by the user's globs (base/glob.h). A method is recorded if
// no include is given or one matches its class or itself, and no exclude matches either.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/glob.h"

namespace copse::agent {

class MethodFilter {
 public:
  MethodFilter() : MethodFilter({}, {}) {}
  MethodFilter(std::vector<std::string> include, std::vector<std::string> exclude);

  enum class ClassVerdict { kNone, kSome, kAll };
  // Returns the verdict for a class. kSome: the caller must ask includes_method() for each method. `class_name`
  // is dotted.
  ClassVerdict classify(std::string_view class_name) const;
  bool includes_method(std::string_view class_name, std::string_view method) const;

  const GlobList& include() const noexcept { return include_; }
  const GlobList& exclude() const noexcept { return exclude_; }

 private:
  const GlobList include_;
  const GlobList exclude_;
};

}  // namespace copse::agent
