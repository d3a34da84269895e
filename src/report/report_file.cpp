#include "report/report_file.h"

#include <algorithm>
#include <utility>

#include "report/exports/html_writer.h"
#include "report/model/hottest.h"

namespace copse::report {
namespace {

// Commands that take "-" for standard output do not ask here.
Status check_is_no_dash(const std::string& path) {
  if (path != "-") return {};
  return Status::error(Fault::kUsage,
                       "-: would be a file of this name; standard output is /dev/stdout, and such "
                       "a file is ./-");
}

}  // namespace

ReportFormat format_of_file(const std::string& path) {
  return format_by_ending(path).value_or(ReportFormat::kJson);
}

Status put_report(ReportModel& model, const std::string& path,
                  std::optional<std::uint64_t> max_contexts, Output& out) {
  const ReportFormat format = format_of_file(path);
  keep_hottest(model, most_contexts(format, max_contexts));
  FormatOptions options;
  options.max_contexts = max_contexts;
  return write_report(model, format, options, out);
}

Status write_report_file(ReportModel& model, const std::string& path,
                         std::optional<std::uint64_t> max_contexts) {
  AtomicFile file(path);
  if (Status status = put_report(model, path, max_contexts, file); !status) return status;
  return file.commit();
}

Status check_report_ending(const std::string& path) {
  if (Status status = check_is_no_dash(path); !status) return status;
  for (const auto& [ending, file] : {std::pair{".ids", "an id file"}, {".graph", "a call graph"}}) {
    if (!path.ends_with(ending)) continue;
    return Status::error(Fault::kUsage, path + ": its ending is that of " + file +
                                            ", and a report is none; end it in .json");
  }
  if (!format_by_ending(path) && !ending_of(path).empty()) {
    return unknown_ending(path, endings_in_words(false));
  }
  if (format_of_file(path) == ReportFormat::kSqlite) {
    return Status::error(
        Fault::kUsage,
        path +
            ": its ending is that of a database, which copse report makes of a report; "
            "end it in .json");
  }
  if (format_of_file(path) != ReportFormat::kHtml || !viewer_page().empty()) return {};
  return Status::error(Fault::kUsage,
                       path +
                           ": this copse was built without the viewer (COPSE_BUILD_VIEWER=OFF) and "
                           "makes no pages; end it in .json");
}

Status check_other_ending(const std::string& path, std::string_view what, std::string_view ending,
                          std::initializer_list<ReportFormat> forms) {
  if (Status status = check_is_no_dash(path); !status) return status;
  const auto format = format_by_ending(path);
  if (!format || std::find(forms.begin(), forms.end(), *format) != forms.end()) return {};
  return Status::error(Fault::kUsage, path + ": its ending is that of a report as " +
                                          name_of(*format) + ", and " + std::string(what) +
                                          " is none; end it in " + std::string(ending));
}

}  // namespace copse::report
