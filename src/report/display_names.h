// Names and numbers as people read them in the text formats.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "report/report_model.h"

namespace copse {

// 1234567 -> "1,234,567".
std::string grouped(std::uint64_t number);

// "12.3 %", "<0.1 %" for a small part, "" of nothing.
std::string percent(std::uint64_t part, std::uint64_t whole);

// At most `width` characters: "...tail" of what is too long, for the end of a name tells most.
std::string fitted(const std::string& text, std::size_t width);

// (ILjava/lang/String;)V -> "(int, String)"; a descriptor that is none as it is.
std::string parameter_list(std::string_view descriptor);

// Names for the methods of one report, printable: pkg.Class.method, with its parameter list only
// where two methods of the class share the name.
class DisplayNames {
 public:
  explicit DisplayNames(const ReportModel::Methods& methods);
  std::string method(std::int32_t index) const;

 private:
  const ReportModel::Methods& methods_;
  std::vector<bool> overloaded_;
};

}  // namespace copse
