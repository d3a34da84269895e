// One row a context, as CSV (RFC 4180): for spreadsheets, data frames and databases.
#pragma once

#include "report/model/report_model.h"
#include "report/output.h"

namespace copse::report {

struct RowsOptions {
  bool paths = false;  // a last column with the whole context, "A.f:12;B.g"
};
// In the order of the report's nodes, whose numbers are the rows' too. ROOT has number 0, and a row
// of its own only when something was counted there.
void write_rows(const ReportModel& model, const RowsOptions& options, Output& out);

}  // namespace copse::report
