// The report as one self-contained page: the bundled viewer with the report's JSON inside.
#pragma once

#include <string_view>

#include "base/status.h"
#include "report/model/output.h"
#include "report/model/report_model.h"

namespace copse::report {

// Returns the viewer's page without data; "" when Copse was built without the viewer
// (COPSE_BUILD_VIEWER=OFF). Defined in the library copse_viewer.
std::string_view viewer_page();

// Writes `page` with the report in place of its marker. Returns an error when the page is empty or
// has no marker.
Status write_html(const ReportModel& model, std::string_view page, Output& out);

}  // namespace copse::report
