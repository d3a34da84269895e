// Days in the form of reports and tables: "2026-11-23".
#pragma once

#include <algorithm>
#include <string_view>

namespace copse::fleet {

inline constexpr std::string_view kFormOfDay = "dddd-dd-dd";
inline constexpr std::size_t kDayLength = kFormOfDay.size();

inline bool is_day(std::string_view text) noexcept {
  const bool has_form =
      std::equal(text.begin(), text.end(), kFormOfDay.begin(), kFormOfDay.end(),
                 [](char c, char form) { return form == 'd' ? c >= '0' && c <= '9' : c == form; });
  if (!has_form) return false;
  const std::string_view month = text.substr(5, 2), day = text.substr(8);
  return month >= "01" && month <= "12" && day >= "01" && day <= "31";
}

}  // namespace copse::fleet
