// Converts reports of older Copse versions to current names. Included by the reader only.
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

// Renames "folded" to evicted contexts and merged recursion in a report of copse.cct/1.
void rename_folded(ReportModel& model, const FirstSchemaTotals& totals);

// Fills in keys that were added without a new schema, for a report of any schema.
void add_what_older_reports_lack(ReportModel& model);

}  // namespace copse::report
