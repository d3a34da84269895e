#include "report/model/display_names.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "base/java_type.h"
#include "base/printable.h"
#include "base/utf8.h"

namespace copse::report {
namespace {

enum class Spelling { kSimple, kQualified };

std::string take_type(std::string_view& rest, Spelling spelling) {
  std::string type = take_java_type(rest);
  return spelling == Spelling::kQualified
             ? type
             : type.substr(type.rfind('.') + 1);  // npos + 1 is the start
}

// "(int, String)", and with `has_result` ": Row" where the descriptor has a result; an invalid descriptor unchanged.
std::string signature_of(std::string_view descriptor, Spelling spelling, bool has_result) {
  std::string_view rest = descriptor;
  if (rest.empty() || rest.front() != '(') return std::string(descriptor);
  rest.remove_prefix(1);
  std::string list = "(";
  while (!rest.empty() && rest.front() != ')') {
    const std::string type = take_type(rest, spelling);
    if (type.empty()) return std::string(descriptor);
    if (list.size() > 1) list += ", ";
    list += type;
  }
  if (rest.empty()) return std::string(descriptor);
  rest.remove_prefix(1);
  list += ')';
  if (!has_result || rest.empty()) return list;
  const std::string result = rest == "V" ? "void" : take_type(rest, spelling);
  return result.empty() ? std::string(descriptor) : list + ": " + result;
}

// "(int, ...)": the parameters that fit, at least "(...)".
std::string leading_parameters(const std::string& list, std::size_t width) {
  constexpr std::string_view kRest = "...)";
  if (list.size() <= 1 + kRest.size() || characters(list) <= width) return list;
  std::string shown = "(";
  for (std::size_t end = list.find(", "); end != std::string::npos;
       end = list.find(", ", end + 1)) {
    const std::string more = list.substr(0, end + 2);
    if (characters(more) + kRest.size() > width) break;
    shown = more;
  }
  return shown.append(kRest);
}

}  // namespace

std::string display_name(std::string_view class_name, std::string_view method) {
  std::string name(class_name);
  if (!name.empty()) name += '.';
  return name.append(method);
}

std::string percent(std::uint64_t part, std::uint64_t whole, std::uint64_t samples) {
  if (whole == 0) return {};
  const double share = 100.0 * static_cast<double>(part) / static_cast<double>(whole);
  if (part > 0 && share < 0.05) return "<0.1 %";
  return figure(share, 1, samples) + " %";
}

std::string fitted(const std::string& text, std::size_t width) {
  constexpr std::string_view kMark = "...";
  const std::size_t length = characters(text);
  if (length <= width || width <= kMark.size()) return text;
  std::size_t excess = length - (width - kMark.size());
  std::string_view rest = text;
  for (; excess > 0; --excess) (void)take_code_point(rest);
  return std::string(kMark) + std::string(rest);
}

std::string fitted_behind_word(const std::string& text, std::size_t width) {
  const std::size_t behind = text.find(' ') + 1;  // npos + 1 is the start
  if (behind >= width) return fitted(text, width);
  return text.substr(0, behind) + fitted(text.substr(behind), width - behind);
}

std::string_view innermost_class(std::string_view class_name) {
  class_name.remove_prefix(class_name.rfind('.') + 1);  // npos + 1 is the start
  // Names of anonymous classes are numbers, of local ones begin with one.
  const std::size_t inner = class_name.rfind('$') + 1;
  const bool has_name = inner > 1 && inner < class_name.size() &&
                        (class_name[inner] < '0' || class_name[inner] > '9');
  if (has_name) class_name.remove_prefix(inner);
  return class_name;
}

std::string without_packages(std::string_view words) {
  if (words.starts_with('[') || words.starts_with('(')) return std::string(words);
  std::string text;
  while (true) {
    const std::size_t end = std::min(words.find(' '), words.size());
    std::string_view word = words.substr(0, end);
    std::string_view rest = word;
    while (!rest.empty() && (rest.front() < 'A' || rest.front() > 'Z')) {
      const std::size_t dot = rest.find('.');
      rest.remove_prefix(dot == std::string_view::npos ? rest.size() : dot + 1);
    }
    text += rest.empty() ? word : rest;
    if (end == words.size()) return text;
    text += ' ';
    words.remove_prefix(end + 1);
  }
}

std::string parameter_list(std::string_view descriptor) {
  return signature_of(descriptor, Spelling::kSimple, false);
}

Signatures signatures(std::string_view descriptor) {
  return {signature_of(descriptor, Spelling::kSimple, false),
          signature_of(descriptor, Spelling::kQualified, false),
          signature_of(descriptor, Spelling::kSimple, true),
          signature_of(descriptor, Spelling::kQualified, true), std::string(descriptor)};
}

DisplayNames::DisplayNames(const ReportModel::Methods& methods) : methods_(methods) {
  std::unordered_map<std::string, std::vector<std::size_t>> rows_of_name;
  for (std::size_t i = 0; i < methods.name.size(); ++i) {
    if (methods.class_name[i].empty()) continue;  // no method
    rows_of_name[display_name(methods.class_name[i], methods.name[i])].push_back(i);
  }
  for (const auto& [name, rows] : rows_of_name) {
    if (rows.size() > 1) tell_apart(rows);
  }
}

void DisplayNames::tell_apart(const std::vector<std::size_t>& rows) {
  std::map<std::string_view, Signatures> signatures_of;
  for (const std::size_t row : rows) {
    const std::string& descriptor = methods_.descriptor[row];
    if (signatures_of.count(descriptor) == 0)
      signatures_of.emplace(descriptor, signatures(descriptor));
  }
  if (signatures_of.size() == 1) return;
  std::map<std::string_view, int> uses;
  for (const auto& [descriptor, forms] : signatures_of) {
    for (const std::string_view form : std::set<std::string_view>(forms.begin(), forms.end()))
      ++uses[form];
  }
  for (const std::size_t row : rows) {
    const Signatures& forms = signatures_of.at(methods_.descriptor[row]);
    const auto own = std::find_if(forms.begin(), forms.end() - 1,
                                  [&](const auto& form) { return uses[form] == 1; });
    signature_.emplace(row, *own);
  }
}

std::string DisplayNames::plain(std::int32_t index) const {
  const auto i = static_cast<std::size_t>(index);
  std::string name = display_name(methods_.class_name[i], methods_.name[i]);
  if (const auto found = signature_.find(i); found != signature_.end()) name += found->second;
  return name;
}

std::string DisplayNames::method(std::int32_t index) const { return printable(plain(index)); }

std::string DisplayNames::method(std::int32_t index, std::size_t width) const {
  const auto i = static_cast<std::size_t>(index);
  const bool is_method = !methods_.class_name[i].empty() || !methods_.descriptor[i].empty();
  std::string name = method(index);
  if (characters(name) <= width) return name;
  if (is_method) return shortened_method(i, width);
  name = without_packages(name);
  const std::size_t place = name.find(" at ");
  if (place != std::string::npos && characters(name) > width) name.resize(place);
  return fitted_behind_word(name, width);
}

std::string DisplayNames::shortened_method(std::size_t i, std::size_t width) const {
  constexpr std::size_t kLeastOfPackage = 5, kLeastOfClass = 4;  // "...a.", "...."
  const std::string type = printable(methods_.class_name[i]);
  const std::string name = printable(methods_.name[i]);
  const auto found = signature_.find(i);
  std::string list = found == signature_.end() ? "" : printable(found->second);
  if (const std::size_t end = list.rfind("): "); end != std::string::npos) list.resize(end + 1);
  const std::string fewest = leading_parameters(list, 0);
  const std::string whole = display_name(type, name);
  if (characters(whole + fewest) <= width) {
    return whole + leading_parameters(list, width - characters(whole));
  }
  const std::string without_package = display_name(type.substr(type.rfind('.') + 1), name);
  const std::size_t least = characters(without_package + fewest);
  if (least + kLeastOfPackage <= width) return fitted(whole + fewest, width);
  if (least <= width) return without_package + fewest;
  const std::string innermost = display_name(innermost_class(type), name);
  if (characters(innermost + fewest) <= width) return innermost + fewest;
  // A name without its class rather than the end of a name.
  const bool cuts_name = characters(name) + kLeastOfClass > width;
  return fitted(cuts_name ? name : innermost, width);
}

std::size_t DisplayNames::least_width(std::int32_t index) const {
  const auto i = static_cast<std::size_t>(index);
  const std::string name = printable(methods_.name[i]);
  if (methods_.class_name[i].empty()) return characters(without_packages(name));
  return characters(display_name(innermost_class(printable(methods_.class_name[i])), name));
}

}  // namespace copse::report
