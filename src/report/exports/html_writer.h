// The report as one self-contained page: the bundled viewer with the report's JSON inside.
#pragma once

#include <string_view>

#include "base/status.h"
#include "report/model/report_model.h"
#include "report/output.h"

namespace copse::report {

// The viewer's page without data, "" when Copse was built without it (COPSE_BUILD_VIEWER=OFF).
// Defined in the library copse_viewer.
std::string_view viewer_page();

// Puts the report where the page has its marker. An error when there is no page or no marker.
Status write_html(const ReportModel& model, std::string_view page, Output& out);

}  // namespace copse::report
