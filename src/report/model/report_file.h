// A report in a file of its own. The file's ending decides the format (report_format.h); behind any
// other ending, or none, it is JSON, which all other formats can be made from.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>

#include "base/status.h"
#include "report/model/report_model.h"
#include "report/output.h"
#include "report/report_format.h"

namespace copse::report {

ReportFormat format_of_file(const std::string& path);

// Puts the report in the format that the file's ending stands for, with so many contexts as
// most_contexts() allows (report_format.h). `model` is left with no more, so that its totals are
// those of the file.
Status put_report(ReportModel& model, const std::string& path,
                  std::optional<std::uint64_t> max_contexts, Output& out);

// put_report into a file that is replaced in one step; on failure "PATH: why", and the old file is
// still there. Called by: whoever made the report, an agent or a command.
Status write_report_file(ReportModel& model, const std::string& path,
                         std::optional<std::uint64_t> max_contexts = {});

// Both before the work. Whether a report could be put into a file of that ending, which must not be
// that of an id file or a call graph:
Status check_report_ending(const std::string& path);
// For files that hold no report: refuses an ending that stands for one, but for those of `forms`,
// which such a file can have too. `what`: "a trace"; `ending`: what to type instead, ".trace".
Status check_other_ending(const std::string& path, std::string_view what, std::string_view ending,
                          std::initializer_list<ReportFormat> forms = {});

}  // namespace copse::report
