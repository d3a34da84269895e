// What export and import both know of the tables of a fleet (examples/fleet/tables.sql).
#pragma once

namespace copse::fleet {

// Of the column `measure`: calls, and what is counted of runs instead of contexts. These are in
// parentheses, and the column `context` holds a hash of the run or of its part then.
inline constexpr const char* kCalls = "calls";
inline constexpr const char* kPart = "(part)";    // 1 for each part of a run that is there
inline constexpr const char* kParts = "(parts)";  // how many parts the run has; with its first one
inline constexpr const char* kCallsInRuns = "(calls)";
inline constexpr const char* kCallsLost = "(calls lost)";
inline constexpr const char* kThreads = "(threads)";
inline constexpr const char* kEvictedContexts = "(evicted contexts)";
inline constexpr const char* kMergedMethods = "(merged methods)";
inline constexpr const char* kLostBegin = "(lost ";  // and the measure's name, and ')'

// Of the columns `bci` and `line` of contexts: not known, and where there is no call site.
inline constexpr int kNotKnown = -1;
inline constexpr int kNoSite = -2;

}  // namespace copse::fleet
