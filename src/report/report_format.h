// The formats of a report: their names, what file endings stand for them, which options apply.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "report/model/report_model.h"
#include "report/model/stable_id_column.h"
#include "report/output.h"

namespace copse::report {

// kSqlite is a database, which needs a file of its own: sql/database_file.h writes it.
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
// By the ending of the file, the longest that there is: .speedscope.json is another one than .json.
// Of callgrind the beginning tells it, too: callgrind.out.4711
std::optional<ReportFormat> format_by_ending(const std::string& path);
std::string name_of(ReportFormat format);

struct FormatOptions {
  std::optional<std::size_t> top;
  std::optional<double> min_percent;
  std::optional<std::uint64_t> depth;
  // Above ROOT (hottest.h). Without it all, but of a page no more than a browser draws.
  std::optional<std::uint64_t> max_contexts;
  // The report is of calls into some methods (part/callers.h): texts begin at these and end at
  // threads. The page and JSON have it as any other.
  bool callers = false;
  bool calls_too = true;             // in the summary, behind rankings by another measure
  MakeStableIds ids;                 // empty: without ids
  bool lines = false;                // callers with the line of their call
  bool paths = false;                // a column with whole contexts
  std::optional<std::size_t> width;  // of the terminal that the text is written to
};

// An error when an option was given that the format does not know: "--top: why".
Status check_options(ReportFormat format, const FormatOptions& options);

// Contexts of a page of some 80 MB.
inline constexpr std::uint64_t kMostContextsOfPage = 4'000'000;
// That a report of the format has at most. `asked`: FormatOptions::max_contexts.
std::uint64_t most_contexts(ReportFormat format, std::optional<std::uint64_t> asked) noexcept;

// All but kSqlite.
Status write_report(const ReportModel& model, ReportFormat format, const FormatOptions& options,
                    Output& out);

}  // namespace copse::report
