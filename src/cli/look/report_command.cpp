// copse report FILE [--format FORMAT] [-o OUT]: a JSON report in another form.
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>

#include "agent/output_path.h"
#include "base/nearest.h"
#include "cli/commands.h"
#include "cli/id_rule_options.h"
#include "cli/look/kept_reports.h"
#include "cli/look/part_options.h"
#include "cli/messages.h"
#include "cli/program_options.h"
#include "cli/progress.h"
#include "cli/standard_output.h"
#include "compare/identity/find_context.h"
#include "compare/identity/stable_ids.h"
#include "report/model/hottest.h"
#include "report/model/idle_waits.h"
#include "report/model/measure_view.h"
#include "report/model/text_lines.h"
#include "report/part/cut.h"
#include "report/part/method_choice.h"
#include "report/report_format.h"
#include "sql/database_file.h"

namespace copse::cli {
namespace {

struct ReportArguments {
  std::vector<std::string> inputs;  // more than one: their sum
  std::string format;
  std::string output;                // "" or "-": standard output
  std::string measure;               // "": the one the report is shown by
  std::string slice;                 // id or word; "" means the whole report
  std::string context;               // digits of its id
  std::optional<std::size_t> width;  // of a text's lines
  bool ids = false;
  std::vector<std::string> without;  // of kParts
  IdRuleOptions id_rules;
  report::PartOptions part;
  report::FormatOptions options;
  bool to_stdout() const { return output.empty() || output == "-"; }
};

// Takes parts of the amounts out, which are told by the frames of the whole report.
void leave_out(report::ReportModel& model, ReportArguments& arguments, bool ranks) {
  report::LeftOut& left_out = arguments.options.left_out;
  const report::PartOptions& part = arguments.part;
  const bool loses_frames =
      !part.hide.empty() || !part.fold.empty() || !part.root.empty() || !part.callers.empty();
  std::vector<std::string>& without = arguments.without;
  if (without.empty() && ranks && loses_frames && !left_out.nothing) without = {kIdle, kJvm};
  if (without.empty()) return;
  take_out(model, without, left_out.idle);
  left_out.nothing = true;
}

Result<report::ReportFormat> chosen_format(const ReportArguments& arguments) {
  if (!arguments.format.empty()) {
    if (const auto format = report::format_by_name(arguments.format)) return *format;
    std::string all;
    for (const std::string& name : report::format_names()) all += (all.empty() ? "" : ", ") + name;
    return Status::error(Fault::kUsage, "--format " + arguments.format + ": no such format" +
                                            did_you_mean(arguments.format, report::format_names(),
                                                         "; there are " + all));
  }
  if (arguments.to_stdout()) return report::ReportFormat::kSummary;
  if (const auto format = report::format_by_ending(arguments.output)) return *format;
  if (report::ending_of(arguments.output).empty()) return report::ReportFormat::kJson;
  return report::unknown_ending(arguments.output,
                                report::endings_in_words(true) + ", or add --format");
}

int write_to_stdout(const report::ReportModel& model, report::ReportFormat format,
                    const ReportArguments& arguments) {
  report::FormatOptions options = arguments.options;
  options.width = arguments.width ? *arguments.width : line_width();
  // "copse report ... | head" is no error: the write fails, and we end.
  report::DescriptorOutput out(STDOUT_FILENO, "standard output");
  if (Status status = report::write_report(model, format, options, out); !status.ok()) {
    return failure(status);
  }
  const Status status = out.finish();
  return status.ok() || out.reader_gone() ? 0 : failure(status);
}

int write_to_file(const report::ReportModel& model, report::ReportFormat format,
                  const ReportArguments& arguments) {
  report::FormatOptions options = arguments.options;
  options.width = arguments.width.value_or(report::TextLines::kUncut);
  report::AtomicFile file(arguments.output);
  Status status = report::write_report(model, format, options, file);
  if (status.ok()) status = file.commit();
  return status.ok() ? 0 : failure(status);
}

int write_database(report::ReportModel& model, const ReportArguments& arguments) {
  report::keep_hottest(
      model, report::most_contexts(report::ReportFormat::kSqlite, arguments.options.max_contexts));
  std::string names;
  for (const std::string& input : arguments.inputs) names += (names.empty() ? "" : ", ") + input;
  const auto reports = sql::Reports::make({{names, &model}});
  if (!reports.ok()) return failure(reports);
  const Status status = sql::write_database_file(*reports, arguments.output);
  return status.ok() ? 0 : failure(status);
}

int write(report::ReportModel& model, report::ReportFormat format,
          const ReportArguments& arguments) {
  if (format == report::ReportFormat::kSqlite) return write_database(model, arguments);
  return arguments.to_stdout() ? write_to_stdout(model, format, arguments)
                               : write_to_file(model, format, arguments);
}

// Returns true if a context is chosen by its stable id.
bool names_contexts(const ReportArguments& arguments) {
  const report::PartOptions& part = arguments.part;
  const auto has_id = [](const std::vector<std::string>& names) {
    return std::ranges::any_of(names, [](const auto& name) { return name.starts_with('@'); });
  };
  return !arguments.context.empty() || has_id(part.focus) || has_id(part.subtract) ||
         has_id(part.hide) || has_id(part.root) || has_id(part.callers);
}

Status check_ids(const ReportArguments& arguments) {
  if (!arguments.context.empty()) {
    if (Status status = identity::check_digits(arguments.context); !status) {
      return status.behind("--context ");
    }
  }
  const std::string typed = arguments.id_rules.typed();
  if (typed.empty() || arguments.options.ids || names_contexts(arguments) ||
      arguments.inputs.size() > 1) {
    return {};
  }
  return Status::error(Fault::kUsage,
                       typed + ": has no effect on one report without --ids, --context or @ID");
}

// Ids by other rules than those that contexts were added up by are no other report's.
Status check_rules_of_sum(const report::ReportModel& model, const ReportArguments& arguments) {
  const bool has_ids = arguments.ids || names_contexts(arguments);
  const std::string& rules = model.merged.rules;
  if (!has_ids || model.merged.reports == 0 ||
      rules == identity::in_words(arguments.id_rules.rules())) {
    return {};
  }
  return Status::error(Fault::kRefused, "was merged by other rules, " + rules +
                                            "; give the same to --sites and --names");
}

// Selects the measure and the part of the report to show.
Status choose(report::ReportModel& model, report::ReportFormat format, ReportArguments& arguments) {
  if (Status status = check_rules_of_sum(model, arguments); !status) return status;
  if (!arguments.slice.empty()) {
    Result<report::ReportModel> slice = report::sliced(model, arguments.slice);
    if (!slice.ok()) return slice.status();
    model = std::move(*slice);
  }
  if (!arguments.measure.empty()) {
    if (Status status = report::show_measure(model, arguments.measure); !status) return status;
  }
  if (!arguments.context.empty()) {
    if (Status status = keep_context(model, arguments.context, arguments.id_rules.rules());
        !status) {
      return status.behind("--context ");
    }
  }
  if (const auto& idle = arguments.options.left_out.idle; !idle.empty()) {
    const auto named = report::choose_methods(model, "--idle", idle);
    if (!named.ok()) return named.status();
  }
  leave_out(model, arguments,
            format == report::ReportFormat::kSummary || format == report::ReportFormat::kTree);
  report::PartOptions part = arguments.part;
  part.find_context = [rules = arguments.id_rules.rules()](const report::ReportModel& whole,
                                                           const std::string& digits) {
    return identity::find_context(whole, digits, rules);
  };
  const bool had_any = report::shown_measure(model).total != 0;
  if (Status status = report::cut(model, part); !status) return status;
  // Callers of "park *" have no CPU time to be ranked by.
  if (arguments.measure.empty() && had_any && report::shown_measure(model).total == 0) {
    model.shown = report::measure_to_show(model);
  }
  return {};
}

int report(ReportArguments& arguments) {
  const Result<report::ReportFormat> format = chosen_format(arguments);
  if (!format.ok()) return failure(format);
  report::FormatOptions options = arguments.options;
  if (std::ranges::find(arguments.without, kIdle) != arguments.without.end())
    options.left_out.idle.clear();
  if (Status status = report::check_options(*format, options); !status.ok()) {
    return failure(status);
  }
  if (Status status = report::check_part(arguments.part); !status.ok()) {
    return failure(status);
  }
  if (Status status = check_ids(arguments); !status.ok()) return failure(status);
  const bool to_terminal = arguments.to_stdout() && ::isatty(STDOUT_FILENO) == 1;
  if (*format == report::ReportFormat::kHtml && to_terminal) {
    return usage_error("--format html: a page is of no use on a terminal; add -o FILE.html");
  }
  if (*format == report::ReportFormat::kSqlite && arguments.to_stdout()) {
    return usage_error("--format sqlite: a database needs a file; add -o FILE.sqlite");
  }
  const bool is_binary =
      *format == report::ReportFormat::kPprof || *format == report::ReportFormat::kOtlp;
  if (is_binary && to_terminal) {
    return usage_error("--format " + report::name_of(*format) +
                       ": a profile is no text for a terminal; add -o FILE");
  }
  if (!arguments.to_stdout()) {
    for (const std::string& input : arguments.inputs) {
      if (Status status =
              agent::check_replaces_none(arguments.output, {{input, "the report that is read"}});
          !status.ok()) {
        return failure(status);
      }
    }
    if (Status status = agent::check_writable(arguments.output); !status.ok()) {
      return failure(status);
    }
  }
  auto progress = std::make_unique<Progress>("reading " + arguments.inputs.front());
  Result<report::ReportModel> model =
      read_sum(arguments.inputs, arguments.id_rules.rules(), SingleReport::kAsItIs, *progress);
  // The line must be gone before anything else is said.
  if (!model.ok() || to_terminal) progress.reset();
  if (!model.ok()) {
    progress.reset();
    return failure(model);
  }
  if (Status status = choose(*model, *format, arguments); !status.ok()) {
    progress.reset();
    return failure(status.behind(arguments.inputs.front() + ": "));
  }
  if (progress) progress->now("writing " + report::name_of(*format));
  return write(*model, *format, arguments);
}

}  // namespace

void add_report_command(CLI::App& app, int& exit_status) {
  CLI::App* command =
      app.add_subcommand("report", "Show a report, or turn it into a page, a tree or stacks");
  const auto arguments = std::make_shared<ReportArguments>();
  command->add_option("file", arguments->inputs, "Report to read, JSON; several are added up")
      ->required();
  command
      ->add_option("--format", arguments->format,
                   "summary, tree, collapsed, html, json, pprof, speedscope, callgrind, otlp, rows "
                   "(CSV) or sqlite; without it the ending of --output decides (none: json), and "
                   "standard output gets summary")
      ->type_name("FORMAT");
  command
      ->add_option(
          "--measure", arguments->measure,
          "Measure to show: calls, cpu, wall, runnable, blocked, waiting, parked, sleeping, "
          "alloc, exceptions, locks (contention alone), as far as the report has it; in a "
          "page or JSON, to show first (without it the first that has samples enough, CPU "
          "time before the others; else calls)")
      ->type_name("NAME");
  command
      ->add_option(
          "--slice", arguments->slice,
          "Only this slice of a run with --slice: its ID, which the summary lists, or slowest, "
          "most-calls or typical")
      ->type_name("ID");
  add_part_options(*command, arguments->context, arguments->part);
  command->add_flag("--ids", arguments->ids,
                    "tree, json: with the stable id of each context, which is the same in every "
                    "run");
  add_id_rule_options(*command, arguments->id_rules);
  add_globs(*command, "--callers", arguments->part.callers,
            "Show who calls matching methods, and what each way to them costs: the methods on top, "
            "their callers below; after --focus; repeatable");
  command
      ->add_option("--max-contexts", arguments->options.max_contexts,
                   "Keep the N contexts with the largest inclusive values; the others are evicted "
                   "into nodes with their sums (all; a page: 4,000,000)")
      ->check(CLI::Range(std::uint64_t{2}, std::uint64_t{1} << 31))
      ->type_name("N");
  command->add_option("-o,--output", arguments->output, "File to write instead of standard output")
      ->type_name("FILE");
  command->add_option("--top", arguments->options.top, "summary: rows of each ranking (10)")
      ->check(whole_number())
      ->type_name("N");
  add_width_option(*command, arguments->width);
  command
      ->add_option("--min-percent", arguments->options.min_percent,
                   "tree: leave out subtrees with a smaller share of the shown measure (0.5)")
      ->check(CLI::Range(0.0, 100.0))
      ->type_name("PERCENT");
  command
      ->add_option(
          "--depth", arguments->options.depth,
          "tree: levels shown (40); collapsed, pprof, otlp: longest chain, deeper calls count at "
          "its end (no limit)")
      ->check(CLI::Range(1, 1 << 24))
      ->type_name("N");
  CLI::Option* const all =
      command->add_flag("--all", arguments->options.left_out.nothing,
                        "summary, tree: also the JVM's own threads and threads that wait for work");
  add_without_option(*command, arguments->without, "; summary and tree do so by themselves")
      ->excludes(all);
  add_globs(
      *command, "--idle", arguments->options.left_out.idle,
      "summary, tree, --without idle: leave out waits in a method of this name, too, as waits for "
      "work; repeatable");
  command->add_flag("--lines", arguments->options.lines,
                    "collapsed: callers with the line of their call, A.f:12");
  command->add_flag("--paths", arguments->options.paths,
                    "rows: a column with whole contexts, A.f:12;B.g");
  command->callback([arguments, &exit_status] {
    arguments->options.calls_too = arguments->measure.empty();
    arguments->options.callers = !arguments->part.callers.empty();
    if (arguments->ids) {
      const identity::IdRules rules = arguments->id_rules.rules();
      arguments->options.ids = [rules](const report::ReportModel& model) {
        return report::StableIdColumn{identity::in_words(rules),
                                      identity::stable_ids(model, rules)};
      };
    }
    exit_status = report(*arguments);
  });
}

}  // namespace copse::cli
