#include "report/model/typed_name.h"

#include <algorithm>

#include "base/glob.h"
#include "base/java_type.h"
#include "report/model/display_names.h"
#include "report/model/event_objects.h"

namespace copse::report {
namespace {

std::string without_spaces(std::string_view text) {
  std::string rest(text);
  std::erase(rest, ' ');
  return rest;
}

// "Db.find:31" -> "Db.find".
std::string_view without_line(std::string_view typed) {
  const std::size_t colon = typed.find_last_not_of("0123456789");
  const bool is_line =
      colon != std::string_view::npos && typed[colon] == ':' && colon + 1 < typed.size();
  return is_line ? typed.substr(0, colon) : typed;
}

// Returns the place of "(int)", "(int): Key" or "(I)LKey;" at the end of a name, npos if there is none. A parenthesis
// behind a blank belongs to the name itself.
std::size_t begin_of_signature(std::string_view name) {
  std::size_t open = name.find('(');
  while (open != name.npos && open != 0 && name[open - 1] == ' ') open = name.find('(', open + 1);
  const std::size_t close = name.rfind(')');
  if (open == 0 || open == name.npos || close == name.npos || close < open) return name.npos;
  std::string_view result = name.substr(close + 1);
  if (result.empty() || result.starts_with(": ") || result == "V") return open;
  return !take_java_type(result).empty() && result.empty() ? open : name.npos;
}

// Other rows are objects of events, threads, and evicted contexts.
bool is_method(const ReportModel::Methods& methods, std::size_t row) {
  return !methods.class_name[row].empty();
}

// "...b.find" -> "**b.find".
std::string without_cut(std::string_view name) {
  constexpr std::string_view kCut = "...";
  return name.starts_with(kCut) ? "**" + std::string(name.substr(kCut.size())) : std::string(name);
}

}  // namespace

TypedName::TypedName(std::string_view typed) : object_(without_cut(typed)) {
  std::string_view name = without_line(typed);
  if (const std::size_t open = begin_of_signature(name); open != std::string_view::npos) {
    signature_ = without_spaces(name.substr(open));
    name = name.substr(0, open);
  }
  glob_ = without_cut(name);
}

bool TypedName::has_signature_of(std::string_view descriptor) const {
  if (signature_.empty()) return true;
  const Signatures all = signatures(descriptor);
  return std::any_of(all.begin(), all.end(),
                     [&](const std::string& form) { return without_spaces(form) == signature_; });
}

std::vector<bool> TypedName::rows(const ReportModel::Methods& methods,
                                  const std::vector<bool>& is_eligible) const {
  std::vector<bool> rows(methods.name.size());
  bool any = false;
  // The very name of a row that is no method is meant, even where it reads as a glob of others: a folded "org.h2.**".
  for (std::size_t row = 0; row < rows.size(); ++row) {
    rows[row] = is_eligible[row] && !is_method(methods, row) && methods.name[row] == object_;
    any = any || rows[row];
  }
  if (any) return rows;
  for (std::size_t row = 0; row < rows.size(); ++row) {
    rows[row] = is_eligible[row] && names(methods, row);
    any = any || rows[row];
  }
  for (std::size_t row = 0; row < rows.size() && !any; ++row) {
    rows[row] = is_eligible[row] && names_alone(methods, row);
  }
  return rows;
}

std::vector<bool> TypedName::rows(const ReportModel::Methods& methods) const {
  return rows(methods, std::vector<bool>(methods.name.size(), true));
}

bool TypedName::names(const ReportModel::Methods& methods, std::size_t row) const {
  const std::string& name = methods.name[row];
  if (is_method(methods, row)) {
    return glob_names_method(glob_, methods.class_name[row], name) &&
           has_signature_of(methods.descriptor[row]);
  }
  if (glob_matches(object_, name)) return true;
  const auto object = event_object_of(methods, row);
  if (!object) return false;
  const std::string shortened = without_packages(name);
  return glob_matches(object_, shortened) ||
         glob_matches(object_, shortened.substr(0, shortened.find(" at ")));
}

bool TypedName::names_alone(const ReportModel::Methods& methods, std::size_t row) const {
  return is_method(methods, row) && glob_matches(glob_, methods.name[row]) &&
         has_signature_of(methods.descriptor[row]);
}

}  // namespace copse::report
