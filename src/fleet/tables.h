// Values in the tables of a fleet (examples/fleet/tables.sql), shared by export and import.
#pragma once

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

}  // namespace copse::fleet
