// copse report FILE [--format FORMAT] [-o OUT]: a JSON report in another form.
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <csignal>
#include <memory>

#include "agent/output_path.h"
#include "cli/commands.h"
#include "cli/file_kind.h"
#include "cli/messages.h"
#include "cli/program_options.h"
#include "cli/progress.h"
#include "cli/standard_output.h"
#include "report/json_reader.h"
#include "report/measure_view.h"
#include "report/part/cut.h"
#include "report/report_format.h"

namespace copse::cli {
namespace {

struct Arguments {
  std::string input;
  std::string format;
  std::string output;   // "" or "-": standard output
  std::string measure;  // "": the one the report is shown by
  report::PartOptions part;
  report::FormatOptions options;
  bool to_stdout() const { return output.empty() || output == "-"; }
};

Result<report::ReportFormat> chosen_format(const Arguments& arguments) {
  if (!arguments.format.empty()) {
    if (const auto format = report::format_by_name(arguments.format)) return *format;
    std::string all;
    for (const std::string& name : report::format_names()) all += (all.empty() ? "" : ", ") + name;
    return Status::error(
        "--format " + arguments.format + ": no such format" +
        did_you_mean(arguments.format, report::format_names(), "; there are " + all));
  }
  if (arguments.to_stdout()) return report::ReportFormat::kSummary;
  if (const auto format = report::format_by_ending(arguments.output)) return *format;
  return Status::error(
      arguments.output +
      ": its ending does not tell the format; add --format, or end it in .html, "
      ".json, .collapsed, .tree, .txt, .pb.gz, .speedscope.json, .callgrind, .otlp or .csv");
}

int write_to_stdout(const report::ReportModel& model, report::ReportFormat format,
                    report::FormatOptions options) {
  options.width = terminal_width();
  // "copse report ... | head" is no error: the write fails, and we end.
  std::signal(SIGPIPE, SIG_IGN);
  report::DescriptorOutput out(STDOUT_FILENO, "standard output");
  if (Status status = report::write_report(model, format, options, out); !status.ok()) {
    return failure(status.message());
  }
  const Status status = out.finish();
  return status.ok() || out.reader_gone() ? 0 : failure(status.message());
}

int write_to_file(const report::ReportModel& model, report::ReportFormat format,
                  const Arguments& arguments) {
  std::signal(SIGPIPE, SIG_IGN);  // of a FIFO: the write fails, and we say so
  report::AtomicFile file(arguments.output);
  Status status = report::write_report(model, format, arguments.options, file);
  if (status.ok()) status = file.commit();
  return status.ok() ? 0 : failure(status.message());
}

int report(const Arguments& arguments) {
  const Result<report::ReportFormat> format = chosen_format(arguments);
  if (!format.ok()) return usage_error(format.message());
  if (Status status = report::check_options(*format, arguments.options); !status.ok()) {
    return usage_error(status.message());
  }
  if (Status status = report::check_part(arguments.part); !status.ok()) {
    return usage_error(status.message());
  }
  const bool to_terminal = arguments.to_stdout() && ::isatty(STDOUT_FILENO) == 1;
  if (*format == report::ReportFormat::kHtml && to_terminal) {
    return usage_error("--format html: a page is of no use on a terminal; add -o FILE.html");
  }
  const bool is_binary =
      *format == report::ReportFormat::kPprof || *format == report::ReportFormat::kOtlp;
  if (is_binary && to_terminal) {
    return usage_error("--format " + report::name_of(*format) +
                       ": a profile is no text for a terminal; add -o FILE");
  }
  if (!arguments.to_stdout()) {
    if (Status status = agent::check_replaces_none(arguments.output,
                                                   {{arguments.input, "the report that is read"}});
        !status.ok()) {
      return usage_error(status.message());
    }
    if (Status status = agent::check_writable(arguments.output); !status.ok()) {
      return failure(status.message());
    }
  }
  if (Status status = check_kind(arguments.input, {FileKind::kReport}, "a report as JSON");
      !status.ok()) {
    return failure(status.message());
  }
  auto progress = std::make_unique<Progress>("reading " + arguments.input);
  Result<report::ReportModel> model = report::read_json_file(arguments.input);
  // The line must be gone before anything else is said.
  if (!model.ok() || to_terminal) progress.reset();
  if (!model.ok()) return failure(model.message());
  if (!arguments.measure.empty()) {
    if (Status status = report::show_measure(*model, arguments.measure); !status.ok()) {
      progress.reset();
      return failure(arguments.input + ": " + status.message());
    }
  }
  if (Status status = report::cut(*model, arguments.part); !status.ok()) {
    progress.reset();
    return failure(arguments.input + ": " + status.message());
  }
  if (progress) progress->now("writing " + report::name_of(*format));
  return arguments.to_stdout() ? write_to_stdout(*model, *format, arguments.options)
                               : write_to_file(*model, *format, arguments);
}

void add_globs(CLI::App& command, const char* name, std::vector<std::string>& globs,
               const char* help) {
  command.add_option(name, globs, help)
      ->type_name("GLOB")
      ->expected(1)
      ->allow_extra_args(false)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
}

}  // namespace

void add_report_command(CLI::App& app, int& exit_status) {
  CLI::App* command =
      app.add_subcommand("report", "Show a report, or turn it into a page, a tree or stacks");
  const auto arguments = std::make_shared<Arguments>();
  command->add_option("file", arguments->input, "Report to read, JSON")->required();
  command->add_option(
      "--format", arguments->format,
      "summary, tree, collapsed, html, json, pprof, speedscope, callgrind, otlp or rows "
      "(CSV); without it the ending of --output decides, else summary");
  command->add_option("--measure", arguments->measure,
                      "Measure to show, cpu for cpu_ns; in a page or JSON, to show first (without "
                      "it the first that "
                      "was asked for when recording, else calls)");
  add_globs(*command, "--thread", arguments->part.threads,
            "Only threads, or groups of them, that match: of a run with --by-thread; repeatable");
  add_globs(
      *command, "--focus", arguments->part.focus,
      "Only contexts through a class or method that matches (pkg.Class or pkg.Class.method; * "
      "stops at a dot, ** does not); repeatable");
  add_globs(*command, "--root", arguments->part.root,
            "Methods that match become the roots: what they do, wherever they are called from; "
            "after --focus; repeatable");
  add_globs(*command, "--callers", arguments->part.callers,
            "Who calls the methods that match, and what each way costs: they stand on top, their "
            "callers below; after --focus; repeatable");
  command
      ->add_option("--max-contexts", arguments->options.max_contexts,
                   "Keep the N contexts with the largest inclusive values; the others are evicted "
                   "into nodes with their sums (all; a page: 4,000,000)")
      ->check(CLI::Range(std::uint64_t{2}, std::uint64_t{1} << 31))
      ->type_name("N");
  command->add_option("-o,--output", arguments->output, "File to write instead of standard output");
  command->add_option("--top", arguments->options.top, "summary: rows of each ranking (10)")
      ->check(whole_number());
  command
      ->add_option("--min-percent", arguments->options.min_percent,
                   "tree: leave out subtrees with a smaller share of all calls (0.5)")
      ->check(CLI::Range(0.0, 100.0));
  command
      ->add_option(
          "--depth", arguments->options.depth,
          "tree: levels shown (40); collapsed, pprof, otlp: longest chain, deeper calls count at "
          "its end (no limit)")
      ->check(CLI::Range(1, 1 << 24));
  command->add_flag("--lines", arguments->options.lines,
                    "collapsed: callers with the line of their call, A.f:12");
  command->add_flag("--paths", arguments->options.paths,
                    "rows: a column with whole contexts, A.f:12;B.g");
  command->callback([arguments, &exit_status] {
    arguments->options.callers = !arguments->part.callers.empty();
    exit_status = report(*arguments);
  });
}

}  // namespace copse::cli
