// Days as reports and tables write them: "2026-11-23".
#pragma once

#include <algorithm>
#include <string_view>

namespace copse::fleet {

inline constexpr std::string_view kFormOfDay = "dddd-dd-dd";
inline constexpr std::size_t kDayLength = kFormOfDay.size();

inline bool is_day(std::string_view text) noexcept {
  return std::equal(
      text.begin(), text.end(), kFormOfDay.begin(), kFormOfDay.end(),
      [](char c, char form) { return form == 'd' ? c >= '0' && c <= '9' : c == form; });
}

}  // namespace copse::fleet
