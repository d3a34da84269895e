// What reports of older Copses say otherwise, in the words of today. The reader alone includes it.
#pragma once

#include <cstdint>
#include <string_view>

#include "report/model/report_model.h"

namespace copse::report {

inline constexpr std::string_view kFirstReportSchema = "copse.cct/1";

// Keys that only copse.cct/1 has.
struct FirstSchemaTotals {
  std::uint64_t folded_calls = 0;
  std::uint64_t folded_contexts = 0;
};

// Of a report of copse.cct/1: evicted contexts and merged recursion were called folded.
void rename_folded(ReportModel& model, const FirstSchemaTotals& totals);

// Of a report of any schema: keys that were added without a new schema.
void add_what_older_reports_lack(ReportModel& model);

}  // namespace copse::report
