// Formats of a report: their names, file endings and options.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "report/model/measure_view.h"
#include "report/model/output.h"
#include "report/model/report_model.h"
#include "report/model/stable_id_column.h"

namespace copse::report {

// kSqlite is a database and needs a file of its own, written by sql/database_file.h.
enum class ReportFormat {
  kSummary,
  kTree,
  kCollapsed,
  kHtml,
  kJson,
  kPprof,
  kSpeedscope,
  kCallgrind,
  kOtlp,
  kRows,
  kSqlite
};

const std::vector<std::string>& format_names();
std::optional<ReportFormat> format_by_name(const std::string& name);
// Returns the format of the longest matching ending: .speedscope.json takes precedence over .json.
// A name that begins with callgrind.out is also kCallgrind: callgrind.out.4711
std::optional<ReportFormat> format_by_ending(const std::string& path);
std::string name_of(ReportFormat format);

// Every command decides by this rule in which format it writes a file: --format, else the file's ending, else, for a file
// without an ending, the command's own format. An unknown ending is an error.
//
// Returns the ending of a file's name, ".svg"; "" if the name has none, or numbers and marks such as %p alone behind its
// last dot.
std::string_view ending_of(std::string_view path) noexcept;
// Returns the error for an unknown ending. `endings`: the known ones, or all of reports.
Status unknown_ending(const std::string& path, const std::string& endings);
// ".txt, .tree ... or .sqlite": endings of reports. `all`: with the database's, which copse report alone makes.
std::string endings_in_words(bool all);

struct FormatOptions {
  std::optional<std::size_t> top;
  std::optional<double> min_percent;
  std::optional<std::uint64_t> depth;
  // Number of contexts without ROOT (hottest.h). std::nullopt means all, but for a page at most
  // kMostContextsOfPage.
  std::optional<std::uint64_t> max_contexts;
  // The report is of calls into some methods (part/cut.h): texts begin at these methods and end
  // at threads. No effect on the page and JSON.
  bool callers = false;
  LeftOut left_out;                  // of texts
  bool calls_too = true;             // the summary also ranks by calls, after another measure
  MakeStableIds ids;                 // empty means without ids
  bool lines = false;                // adds the line of the call to callers
  bool paths = false;                // adds a column with whole contexts
  std::optional<std::size_t> width;  // of a line of text
};

// Returns the error "--top: why" for an option without effect on the format.
Status check_options(ReportFormat format, const FormatOptions& options);

// Makes a page of about 80 MB.
inline constexpr std::uint64_t kMostContextsOfPage = 4'000'000;
// Returns the limit for a report in that format. `asked`: FormatOptions::max_contexts.
std::uint64_t most_contexts(ReportFormat format, std::optional<std::uint64_t> asked) noexcept;

// REQUIRES: format != kSqlite; returns an error for it.
Status write_report(const ReportModel& model, ReportFormat format, const FormatOptions& options,
                    Output& out);

}  // namespace copse::report
