#include "compare/gate/method_pattern.h"

#include <algorithm>
#include <set>
#include <string_view>

#include "base/glob.h"
#include "base/grouped.h"
#include "base/printable.h"
#include "report/model/typed_name.h"
#include "report/part/method_choice.h"

namespace copse::gate {
namespace {

using report::ReportModel;

std::string matched_nothing(const diff::Comparison& comparison, const std::string& glob) {
  const ReportModel::Methods& methods = comparison.both.methods;
  std::vector<bool> rows;
  for (std::size_t row = 0; row < methods.name.size(); ++row) {
    rows.push_back(!methods.class_name[row].empty() && !is_evicted_method(methods, row));
  }
  const GlobGuess guess = report::guess_methods(methods, rows, glob);
  return printable(glob) + " matches nothing in " +
         (comparison.part.empty() ? "either report" : "this part of either report") +
         guess.hint(printable) + " (" + printable(glob) + "? would be allowed to.)";
}

// Returns the name of "parse(I)V": "parse".
std::string_view name_of(std::string_view method) { return method.substr(0, method.find('(')); }

}  // namespace

Result<std::vector<bool>> matching_methods(const diff::Comparison& comparison,
                                           const Pattern& pattern) {
  const ReportModel::Methods& methods = comparison.both.methods;
  std::vector<bool> chosen = report::TypedName(pattern.glob).rows(methods);
  for (std::size_t row = 0; row < chosen.size(); ++row) {
    if (is_evicted_method(methods, row)) chosen[row] = pattern.glob == "**";
  }
  const bool any = pattern.may_be_absent ||
                   std::find(chosen.begin(), chosen.end(), true) != chosen.end() ||
                   !skipped_match(comparison.old_about.skipped, pattern.glob).empty() ||
                   !skipped_match(comparison.both.skipped, pattern.glob).empty();
  if (!any) return Status::error(Fault::kNotFound, matched_nothing(comparison, pattern.glob));
  return chosen;
}

std::string classes_in_words(const diff::Comparison& comparison, const Pattern& pattern) {
  constexpr std::size_t kMost = 5;
  const report::TypedName name(pattern.glob);
  if (!name.is_single()) return "";
  const ReportModel::Methods& methods = comparison.both.methods;
  const std::vector<bool> rows = name.rows(methods);
  std::set<std::string_view> classes;
  for (std::size_t row = 0; row < rows.size(); ++row) {
    if (rows[row]) classes.insert(methods.class_name[row]);
  }
  if (classes.size() < 2) return "";
  std::string text;
  std::size_t listed = 0;
  for (const std::string_view class_name : classes) {
    if (listed++ == kMost) break;
    text += (text.empty() ? "" : ", ") + printable(class_name);
  }
  if (classes.size() > kMost) text += " and " + grouped(classes.size() - kMost) + " more";
  return printable(pattern.glob) + " is a name in " + grouped(classes.size()) + " classes: " + text;
}

std::string skipped_match(const std::vector<ReportModel::Skipped>& skipped, std::string_view glob) {
  for (const ReportModel::Skipped& item : skipped) {
    if (item.class_name.empty()) continue;
    const std::string_view method = name_of(item.method);
    const bool is_class = method.empty();
    // A glob may mean any method of a skipped class.
    const std::string_view of_class = glob.substr(0, std::min(glob.rfind('.'), glob.size()));
    if (glob_names_method(glob, item.class_name, method) ||
        (is_class && glob_names_class(of_class, item.class_name))) {
      return printable(is_class ? item.class_name : item.class_name + "." + std::string(method)) +
             " (" + printable(item.reason) + ")";
    }
  }
  return "";
}

}  // namespace copse::gate
