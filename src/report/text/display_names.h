// Names and shares as people read them in the text formats.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "report/model/report_model.h"

namespace copse::report {

// "12.3 %", "<0.1 %" for a small part, "" of nothing.
std::string percent(std::uint64_t part, std::uint64_t whole);

// At most `width` characters: "...tail" of what is too long, for the end of a name tells most.
std::string fitted(const std::string& text, std::size_t width);

// The same of what is behind the first word: "park ...nizer$ConditionObject".
std::string fitted_behind_word(const std::string& text, std::size_t width);

std::size_t characters(std::string_view text);

// Of what stands for no method the class is "".
std::string display_name(std::string_view class_name, std::string_view method);

// "throw NumberFormatException at Integer.parseInt:678": each word without what stands before the first
// part that begins with a capital letter.
std::string without_packages(std::string_view words);

// (ILjava/lang/String;)V -> "(int, String)"; a descriptor that is none as it is.
std::string parameter_list(std::string_view descriptor);

// Names for the methods of one report, printable: pkg.Class.method, with its parameter list only
// where two methods of the class share the name.
class DisplayNames {
 public:
  explicit DisplayNames(const ReportModel::Methods& methods);
  std::string method(std::int32_t index) const;
  // The same, without packages where it is too long and stands for a class, a lock or a throw; such a name
  // tells most in its middle. Its first word, which says what happened, stays whatever is cut behind it.
  std::string method(std::int32_t index, std::size_t width) const;

 private:
  const ReportModel::Methods& methods_;
  std::vector<bool> overloaded_;
};

}  // namespace copse::report
