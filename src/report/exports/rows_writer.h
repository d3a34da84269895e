// Writes one row per context as CSV (RFC 4180), for spreadsheets, data frames and databases.
#pragma once

#include "report/model/report_model.h"
#include "report/output.h"

namespace copse::report {

struct RowsOptions {
  bool paths = false;  // adds a last column with the whole context, "A.f:12;B.g"
};
// Writes rows in the order of the report's nodes; row numbers are node numbers. ROOT is number 0
// and has a row only when it has an amount.
void write_rows(const ReportModel& model, const RowsOptions& options, Output& out);

}  // namespace copse::report
