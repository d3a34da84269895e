#include "compare/gate/method_pattern.h"

#include <algorithm>
#include <map>

#include "base/glob.h"
#include "base/glob_guess.h"
#include "base/printable.h"
#include "report/text/display_names.h"

namespace copse::gate {
namespace {

using report::ReportModel;

std::string_view without_package(std::string_view class_name) {
  return class_name.substr(class_name.rfind('.') + 1);
}

using MethodsByClass = std::map<std::string_view, std::vector<std::string>>;

GlobGuess guess_of(std::string_view glob, const MethodsByClass& by_class) {
  KnownNames names;
  std::vector<std::vector<std::string>> methods;
  for (const auto& [class_name, of_class] : by_class) {
    names.classes.push_back(class_name);
    methods.push_back(of_class);
  }
  names.methods = [&methods](std::size_t index) { return methods[index]; };
  return guess_glob(glob, names);
}

bool matches_any(std::string_view glob, const ReportModel::Methods& methods) {
  for (std::size_t row = 0; row < methods.name.size(); ++row) {
    if (matches(glob, methods.class_name[row], methods.name[row])) return true;
  }
  return false;
}

std::string matched_nothing(const diff::Comparison& comparison, const std::string& glob) {
  const ReportModel::Methods& methods = comparison.both.methods;
  MethodsByClass by_class, by_simple_class;
  for (std::size_t row = 0; row < methods.name.size(); ++row) {
    if (methods.class_name[row].empty() || is_evicted_method(methods, row)) continue;
    by_class[methods.class_name[row]].push_back(methods.name[row]);
    by_simple_class[without_package(methods.class_name[row])].push_back(methods.name[row]);
  }
  GlobGuess guess = guess_of(glob, by_class);
  if (guess.glob.empty()) guess = guess_of(glob, by_simple_class);
  // Handles a mistyped class with a correct method.
  const std::size_t dot = glob.rfind('.');
  for (const MethodsByClass& classes : {by_class, by_simple_class}) {
    if (!guess.glob.empty() || dot == std::string::npos) break;
    const std::string of_class = guess_of(glob.substr(0, dot), classes).glob;
    if (!of_class.empty() && matches_any(of_class + glob.substr(dot), methods)) {
      guess = {"", of_class + glob.substr(dot)};
    }
  }
  return printable(glob) + " matches nothing in " +
         (comparison.part.empty() ? "either report" : "this part of either report") +
         (guess.reason.empty() ? "" : "; " + guess.reason) +
         (guess.glob.empty() ? "" : "; did you mean " + printable(guess.glob) + "?") + " (" +
         printable(glob) + "? would be allowed to.)";
}

// Returns the name of "parse(I)V": "parse".
std::string_view name_of(std::string_view method) { return method.substr(0, method.find('(')); }

}  // namespace

bool matches(std::string_view glob, std::string_view class_name, std::string_view method) {
  const std::string_view simple = without_package(class_name);
  return (!class_name.empty() && (glob_matches(glob, class_name) || glob_matches(glob, simple))) ||
         glob_matches(glob, report::display_name(class_name, method)) ||
         glob_matches(glob, report::display_name(simple, method));
}

Result<std::vector<bool>> matching_methods(const diff::Comparison& comparison,
                                           const Pattern& pattern) {
  const ReportModel::Methods& methods = comparison.both.methods;
  std::vector<bool> chosen(methods.name.size());
  bool any = pattern.may_be_absent;
  for (std::size_t row = 0; row < chosen.size(); ++row) {
    chosen[row] = is_evicted_method(methods, row)
                      ? pattern.glob == "**"
                      : matches(pattern.glob, methods.class_name[row], methods.name[row]);
    any = any || chosen[row];
  }
  any = any || !skipped_match(comparison.old_about.skipped, pattern.glob).empty() ||
        !skipped_match(comparison.both.skipped, pattern.glob).empty();
  if (!any) return Status::error(Fault::kNotFound, matched_nothing(comparison, pattern.glob));
  return chosen;
}

std::string skipped_match(const std::vector<ReportModel::Skipped>& skipped, std::string_view glob) {
  for (const ReportModel::Skipped& item : skipped) {
    if (item.class_name.empty()) continue;
    const std::string_view method = name_of(item.method);
    const bool is_class = method.empty();
    // A glob may mean any method of a skipped class.
    const std::string_view of_class = glob.substr(0, std::min(glob.rfind('.'), glob.size()));
    if (matches(glob, item.class_name, method) ||
        (is_class && matches(of_class, item.class_name, ""))) {
      return printable(is_class ? item.class_name : item.class_name + "." + std::string(method)) +
             " (" + printable(item.reason) + ")";
    }
  }
  return "";
}

}  // namespace copse::gate
