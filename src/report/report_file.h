// Writes a report to a file. The file's ending decides the format (report_format.h). Any other
// ending, or none, means JSON, which converts to all other formats.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>

#include "base/status.h"
#include "report/model/output.h"
#include "report/model/report_model.h"
#include "report/report_format.h"

namespace copse::report {

ReportFormat format_of_file(const std::string& path);

// Writes the report in the format of the file's ending, with at most most_contexts() contexts
// (report_format.h). Cuts `model` to the same contexts, so its totals are those of the file.
Status put_report(ReportModel& model, const std::string& path,
                  std::optional<std::uint64_t> max_contexts, Output& out);

// Writes put_report() output to a file that is replaced in one step. On failure returns "PATH:
// why", and the old file is still there. Called by the agent or a command.
Status write_report_file(ReportModel& model, const std::string& path,
                         std::optional<std::uint64_t> max_contexts = {});

// Returns an error when a report cannot be put into a file of that ending, or when the ending is
// that of an id file or a call graph, or for "-". Call it before the work.
Status check_report_ending(const std::string& path);
// Refuses "-", and a report's ending for a file that holds no report, except those of `forms`, which
// such a file can have too. `what`: "a trace". `ending`: the ending to suggest, ".trace". Call it before
// the work.
Status check_other_ending(const std::string& path, std::string_view what, std::string_view ending,
                          std::initializer_list<ReportFormat> forms = {});

}  // namespace copse::report
