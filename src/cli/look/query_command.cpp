// copse query FILE... SQL: questions to reports, in SQL.
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <iostream>
#include <memory>

#include "agent/options.h"
#include "agent/output_path.h"
#include "base/nearest.h"
#include "base/shell_word.h"
#include "cli/commands.h"
#include "cli/file_kind.h"
#include "cli/look/kept_reports.h"
#include "cli/look/overdue.h"
#include "cli/look/query_shell.h"
#include "cli/messages.h"
#include "cli/progress.h"
#include "cli/standard_output.h"
#include "report/report_format.h"
#include "sql/session.h"

namespace copse::cli {
namespace {

struct QueryArguments {
  std::vector<std::string> words;  // reports, and behind them the query
  std::string query_file;
  bool shell = false;
  std::string format;
  std::string output;
  std::string timeout = "60s";
  std::string memory = "1G";
};

struct Plan {
  std::vector<std::string> files;
  std::string sql;  // "": the shell's
  sql::ResultFormat format = sql::ResultFormat::kTable;
  sql::Limits limits;
};

constexpr const char* kExample =
    " For example: copse query profile.json 'SELECT name, calls FROM methods ORDER BY calls DESC "
    "LIMIT 10'";

bool is_file(const std::string& word) {
  std::error_code error;
  return std::filesystem::exists(word, error);
}

Status take_words(const QueryArguments& arguments, Plan& plan) {
  plan.files = arguments.words;
  if (plan.files.empty()) {
    return Status::error(Fault::kUsage,
                         "query: which report, and what is the question?" + std::string(kExample));
  }
  if (arguments.shell && !arguments.query_file.empty()) {
    return Status::error(
        Fault::kUsage, "--shell: reads queries from standard input, --file from a file; give one");
  }
  if (arguments.shell && !arguments.output.empty()) {
    return Status::error(Fault::kUsage,
                         "--output: has no effect with --shell, which writes to standard output");
  }
  if (arguments.shell || !arguments.query_file.empty()) return {};
  plan.sql = std::move(plan.files.back());
  plan.files.pop_back();
  if (plan.files.empty()) {
    return Status::error(
        Fault::kUsage,
        is_file(plan.sql)
            ? "query: what is the question about " + shell_word(plan.sql) + "?" +
                  " Put it behind, or add --shell." + kExample
            : "query: which report? Put its file before the query." + std::string(kExample));
  }
  if (is_file(plan.sql)) {
    return Status::error(Fault::kUsage, "query: the last word is a file, " + shell_word(plan.sql) +
                                            ", and no query; put one behind it, or add --shell");
  }
  return {};
}

Status take_format(const QueryArguments& arguments, Plan& plan) {
  if (arguments.format.empty()) {
    const auto format = sql::result_format_by_ending(arguments.output);
    if (!format && !report::ending_of(arguments.output).empty()) {
      return report::unknown_ending(arguments.output, ".txt, .csv or .json, or add --format");
    }
    plan.format = format.value_or(plan.format);
    return {};
  }
  if (const auto format = sql::result_format_by_name(arguments.format)) {
    plan.format = *format;
    return {};
  }
  return Status::error(Fault::kUsage, "--format " + arguments.format + ": no such format" +
                                          did_you_mean(arguments.format, sql::result_format_names(),
                                                       "; there are table, csv, json"));
}

Status take_limits(const QueryArguments& arguments, Plan& plan) {
  if (arguments.timeout == "0") {
    plan.limits.time = {};
  } else {
    const Result<std::uint64_t> time = agent::parse_period(arguments.timeout);
    if (!time.ok()) return time.status().behind("--timeout: ");
    plan.limits.time = std::chrono::milliseconds(*time);
  }
  const Result<std::uint64_t> memory = agent::parse_size(arguments.memory);
  if (!memory.ok()) return memory.status().behind("--memory: ");
  constexpr std::uint64_t kLeast = std::uint64_t{8} << 20;
  if (*memory < kLeast)
    return Status::error(Fault::kUsage, "--memory " + arguments.memory + ": at least 8M");
  plan.limits.memory_bytes = *memory;
  return {};
}

int answer_to_file(sql::Session& session, const Plan& plan, const std::string& path) {
  report::AtomicFile file(path);
  {
    const EndWhenOverdue guard(session, file.temporary_path());
    if (const Status status = session.run(plan.sql, *make_result_writer(plan.format, file));
        !status) {
      return failure(status.behind("query: "));
    }
  }
  const Status status = file.commit();
  return status.ok() ? 0 : failure(status);
}

int answer(sql::Session& session, const Plan& plan, const QueryArguments& arguments) {
  const bool to_stdout = arguments.output.empty() || arguments.output == "-";
  if (!to_stdout) return answer_to_file(session, plan, arguments.output);
  const EndWhenOverdue guard(session);
  report::DescriptorOutput out(STDOUT_FILENO, "standard output");
  if (arguments.shell) {
    const bool is_terminal = ::isatty(STDIN_FILENO) == 1 && ::isatty(STDOUT_FILENO) == 1;
    return run_query_shell(session, plan.format, std::cin, is_terminal, out);
  }
  const Status status = session.run(plan.sql, *make_result_writer(plan.format, out));
  const Status written = out.finish();
  if (!status) return failure(status.behind("query: "));
  return written.ok() || out.reader_gone() ? 0 : failure(written);
}

int query_reports(const QueryArguments& arguments) {
  Plan plan;
  for (const auto take : {take_words, take_format, take_limits}) {
    if (const Status status = take(arguments, plan); !status) return failure(status);
  }
  if (!arguments.query_file.empty()) {
    Result<std::string> sql = text_of_file(arguments.query_file);
    if (!sql.ok()) return failure(sql);
    plan.sql = std::move(*sql);
  }
  if (!arguments.output.empty() && arguments.output != "-") {
    for (const std::string& file : plan.files) {
      if (const Status status = agent::check_replaces_none(
              arguments.output, {{file, "the report that is read"},
                                 {arguments.query_file, "the query that is read"}});
          !status) {
        return failure(status);
      }
    }
    if (const Status status = agent::check_writable(arguments.output); !status) {
      return failure(status);
    }
  }
  if (plan.files.size() == 1 && kind_of_file(plan.files.front()) == FileKind::kDatabase) {
    const auto session = sql::Session::open_file(plan.files.front(), plan.limits);
    return session.ok() ? answer(**session, plan, arguments) : failure(session);
  }
  std::vector<report::ReportModel> models;
  models.reserve(plan.files.size());
  std::vector<sql::Reports::File> files;
  for (const std::string& file : plan.files) {
    if (const Status status = check_kind(file, {FileKind::kReport}, "a report as JSON"); !status) {
      return failure(status);
    }
    auto progress = std::make_unique<Progress>("reading " + file);
    Result<report::ReportModel> model = read_report(file);
    progress.reset();  // the line must be gone before anything else is said
    if (!model.ok()) return failure(model);
    models.push_back(std::move(*model));
    files.push_back({file, &models.back()});
  }
  const Result<sql::Reports> reports = sql::Reports::make(std::move(files));
  if (!reports.ok()) return failure(reports);
  const auto session = sql::Session::open(*reports, plan.limits);
  if (!session.ok()) return failure(session.status().behind("query: "));
  return answer(**session, plan, arguments);
}

}  // namespace

void add_query_command(CLI::App& app, int& exit_status) {
  CLI::App* command = app.add_subcommand("query", "Ask reports questions in SQL");
  const auto arguments = std::make_shared<QueryArguments>();
  command
      ->add_option(
          "words", arguments->words,
          "Reports to read, JSON, or one database of copse report -o FILE.sqlite, and behind "
          "them the query: SELECT ...; the tables are "
          "contexts, methods, sites, threads, measures, skipped, runs, options and notes, "
          "with path(id), under(id, glob) and calls_under(id, glob)")
      ->type_name("FILE... QUERY");
  command
      ->add_option("--file", arguments->query_file, "File with the query, instead of the last word")
      ->type_name("FILE");
  command->add_flag("--shell", arguments->shell,
                    "Read queries from the terminal, or standard input; .help says more");
  command
      ->add_option("--format", arguments->format,
                   "table, csv or json; without it the ending of --output decides, else table")
      ->type_name("FORMAT");
  command->add_option("-o,--output", arguments->output, "File to write instead of standard output")
      ->type_name("FILE");
  command
      ->add_option("--timeout", arguments->timeout,
                   "Stop a query that takes longer, as 5m; 0: never (60s)")
      ->type_name("TIME");
  command
      ->add_option("--memory", arguments->memory,
                   "Stop a query that needs more memory besides the reports (1G): of 1,000,000 "
                   "contexts 30M for few columns, 250M for all; a database of copse report needs "
                   "less, so ask that of a large report")
      ->type_name("SIZE");
  command->callback([arguments, &exit_status] { exit_status = query_reports(*arguments); });
}

}  // namespace copse::cli
