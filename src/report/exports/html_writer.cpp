#include "report/exports/html_writer.h"

#include "report/exports/json_writer.h"

namespace copse::report {

Status write_html(const ReportModel& model, std::string_view page, Output& out) {
  constexpr std::string_view kMarker = "@COPSE_REPORT@";
  if (page.empty()) {
    return Status::error(Fault::kUnsupported,
                         "html: this copse was built without the viewer (COPSE_BUILD_VIEWER=OFF)");
  }
  const std::size_t at = page.find(kMarker);
  if (at == std::string_view::npos) {
    return Status::error(Fault::kInternal, "html: the viewer's page has no place for the report");
  }
  out.put(page.substr(0, at));
  write_json(model, out, JsonEmbedding::kHtmlScript);
  out.put(page.substr(at + kMarker.size()));
  return {};
}

}  // namespace copse::report
