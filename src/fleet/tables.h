// Values in the tables of a fleet (examples/fleet/tables.sql), shared by export and import.
#pragma once

#include <algorithm>
#include <string_view>

namespace copse::fleet {

// Values of the column `measure`: calls, and counts of runs instead of contexts. For the latter, in
// parentheses, the column `context` holds a hash of the run or of its part.
inline constexpr const char* kCalls = "calls";
inline constexpr const char* kPart = "(part)";    // 1 for each stored part of a run
inline constexpr const char* kParts = "(parts)";  // number of parts; stored with the first part
inline constexpr const char* kCallsInRuns = "(calls)";
inline constexpr const char* kCallsLost = "(calls lost)";
inline constexpr const char* kThreads = "(threads)";
inline constexpr const char* kEvictedContexts = "(evicted contexts)";
inline constexpr const char* kMergedMethods = "(merged methods)";
inline constexpr const char* kLostBegin = "(lost ";  // followed by the measure's name and ')'

// Values of the columns `bci` and `line` of contexts: unknown, and no call site.
inline constexpr int kNotKnown = -1;
inline constexpr int kNoSite = -2;

// Days in the form of reports and tables: "2026-11-23".
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
