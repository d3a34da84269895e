// The methods of two reports that a rule's glob is of.
//
// Globs are those of base/glob.h. One is compared with pkg.Class and pkg.Class.method, and with Class
// and Class.method, so that Db.query is that method of a class Db in any package.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "compare/diff/comparison.h"
#include "compare/gate/rule.h"

namespace copse::gate {

bool matches(std::string_view glob, std::string_view class_name, std::string_view method);

// By row of comparison.both.methods. What stands for evicted contexts is matched by ** alone. The
// error says that the glob matches nothing in either report, not even a method that was skipped, and what was
// probably meant.
Result<std::vector<bool>> matching_methods(const diff::Comparison& comparison,
                                           const Pattern& pattern);

// "com.acme.Big.parse (too large)": the first class or method of the list, not recorded, that the
// glob matches; "": none.
std::string skipped_match(const std::vector<report::ReportModel::Skipped>& skipped,
                          std::string_view glob);

}  // namespace copse::gate
