// Names and shares in the text formats.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "report/model/report_model.h"

namespace copse::report {

// "12.3 %"; "<0.1 %" for a small part; "" when the whole is 0.
std::string percent(std::uint64_t part, std::uint64_t whole);

// At most `width` characters: "...tail" for a longer text, because the end of a name distinguishes
// best.
std::string fitted(const std::string& text, std::size_t width);

// The same for the text after the first word: "park ...nizer$ConditionObject".
std::string fitted_behind_word(const std::string& text, std::size_t width);

std::size_t characters(std::string_view text);

// `class_name` is "" for a row that is no method.
std::string display_name(std::string_view class_name, std::string_view method);

// "throw NumberFormatException at Integer.parseInt:678": drops, from each word, all parts before
// the first one that begins with a capital letter.
std::string without_packages(std::string_view words);

// (ILjava/lang/String;)V -> "(int, String)"; an invalid descriptor unchanged.
std::string parameter_list(std::string_view descriptor);

// Printable names for the methods of one report: pkg.Class.method, with the parameter list only
// where two methods of the class share the name.
class DisplayNames {
 public:
  explicit DisplayNames(const ReportModel::Methods& methods);
  std::string method(std::int32_t index) const;
  // The same of at most `width` characters where it names an event's object: without packages, then without the place,
  // then without the beginning of the class; the first word, the kind of the event, stays. Other names are whole.
  std::string method(std::int32_t index, std::size_t width) const;

 private:
  const ReportModel::Methods& methods_;
  std::vector<bool> overloaded_;
};

}  // namespace copse::report
