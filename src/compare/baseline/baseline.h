// A baseline as text: the contexts of a report that later reports are compared with, to be kept in a repository and read in
// a review. A line is a context, in an order that depends on nothing but the program.
//
//   copse baseline 1
//   runs: 3
//   option: include=com.acme.**
//   focus: Dao.**
//   measure: allocated_bytes, bytes
//
//          calls  allocated_bytes
//              1                0  com.acme.Main.main(java.lang.String[])
//              1                0    com.acme.Handler.list(): java.util.List
//       100..103            2,400      com.acme.Dao.find(int): com.acme.Row
//              7                0      (others)
//
// Amounts are exclusive, and `least..greatest` where runs differ. (others) sums contexts below its caller that have no
// line. Other lines of the head, where they apply: "left out: 12 contexts", "lost: calls, 3", "merged: 2 methods",
// `skipped: "CLASS" "METHOD" "REASON"`.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "report/model/output.h"
#include "report/model/report_model.h"

namespace copse::baseline {

// First words of every such file.
inline constexpr std::string_view kSignature = "copse baseline ";

struct Baseline {
  report::ReportModel report;      // without sites, sources, loaders and threads
  std::vector<std::string> focus;  // globs that it was cut to; NEW is cut to the same
};

// Choice of what a baseline has.
struct BaselineChoice {
  std::vector<std::string> focus;     // empty means all contexts
  std::vector<std::string> measures;  // beside calls, as typed: "alloc"
  std::uint64_t most = 1000;          // contexts; REQUIRES: >= 2
};

// Returns the baseline of a report. Errors: no calls were counted; no such measure, or one that is an estimate; a glob that
// matches nothing.
Result<Baseline> chosen(report::ReportModel report, const BaselineChoice& choice);

// Drops all measures of a report but those, with their ranges.
void keep_measures(report::ReportModel& report, const std::vector<std::string>& names);

void write(const Baseline& baseline, report::Output& out);
// The error begins with "NAME:LINE: ".
Result<Baseline> read(std::string_view text, const std::string& name);

}  // namespace copse::baseline
