// Matches the methods of two reports with a rule's glob.
//
// Names and globs are those of report/model/typed_name.h: Db.query is the method of a class Db in any package.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "compare/diff/comparison.h"
#include "compare/gate/rule.h"

namespace copse::gate {

// Returns the matches by row of comparison.both.methods. Only ** matches evicted contexts. The
// error says that the glob matches nothing in either report, not even a skipped method, with a
// suggestion.
Result<std::vector<bool>> matching_methods(const diff::Comparison& comparison,
                                           const Pattern& pattern);

// Returns "Db.query is a name in 2 classes: bank.Db, shop.Db" for a name without a star that several classes have; ""
// for any other.
std::string classes_in_words(const diff::Comparison& comparison, const Pattern& pattern);

// Returns the first skipped class or method in the list that the glob matches, with the reason:
// "com.acme.Big.parse (too large)"; "" if none.
std::string skipped_match(const std::vector<report::ReportModel::Skipped>& skipped,
                          std::string_view glob);

}  // namespace copse::gate
