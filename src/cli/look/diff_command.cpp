// copse diff OLD NEW: what is another one in the second report than in the first. copse baseline check does the same.
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdint>
#include <future>
#include <map>
#include <memory>
#include <string>
#include <utility>

#include "agent/output_path.h"
#include "base/nearest.h"
#include "base/printable.h"
#include "cli/commands.h"
#include "cli/file_kind.h"
#include "cli/look/diff_options.h"
#include "cli/look/kept_reports.h"
#include "cli/look/part_options.h"
#include "cli/messages.h"
#include "cli/program_options.h"
#include "cli/progress.h"
#include "cli/standard_output.h"
#include "compare/baseline/baseline.h"
#include "compare/diff/comparison.h"
#include "compare/diff/cut.h"
#include "compare/diff/findings.h"
#include "compare/diff/writers.h"
#include "compare/identity/find_context.h"
#include "report/model/measure_view.h"
#include "report/model/text_lines.h"
#include "report/part/cut.h"
#include "report/report_format.h"

namespace copse::cli {
namespace {

enum class DiffFormat { kText, kMarkdown, kJson, kHtml };

// The slice that is compared of the first or the second report; "" means the whole.
std::string slice_of(const DiffArguments& arguments, std::size_t report) {
  const std::vector<std::string>& slices = arguments.slices;
  return slices.empty() ? std::string() : slices[std::min(report, slices.size() - 1)];
}

Result<DiffFormat> format_of(const DiffArguments& arguments) {
  std::string name = arguments.format;
  if (name.empty() && !arguments.to_stdout()) {
    const std::string& path = arguments.output;
    for (const char* ending : {"txt", "md", "json", "html"}) {
      if (path.ends_with("." + std::string(ending))) name = ending;
    }
    if (name.empty() && !report::ending_of(path).empty()) {
      return report::unknown_ending(path, ".txt, .md, .json or .html, or add --format");
    }
  }
  if (name.empty() || name == "text" || name == "txt") return DiffFormat::kText;
  if (name == "markdown" || name == "md") return DiffFormat::kMarkdown;
  if (name == "json") return DiffFormat::kJson;
  if (name == "html") return DiffFormat::kHtml;
  return Status::error(Fault::kUsage, "--format " + name + ": no such format" +
                                          did_you_mean(name, {"text", "markdown", "json", "html"},
                                                       "; there are text, markdown, json, html"));
}

// `slice`: "" means the whole report.
Result<report::ReportModel> read(const std::string& file, const std::string& slice,
                                 Progress& progress) {
  if (Status status = check_kind(file, {FileKind::kReport}, "a report as JSON"); !status) {
    return status;
  }
  progress.now("reading " + file);
  Result<report::ReportModel> model = read_report(file);
  if (slice.empty() || !model.ok()) return model;
  Result<report::ReportModel> part = report::sliced(*model, slice);
  return part.ok() ? std::move(part) : part.status().behind(file + ": ");
}

// Calls, unless a report has none; then the first measure that both have anything of.
std::string measure_of_both(const diff::Comparison& comparison) {
  for (const diff::ComparedMeasure& measure : comparison.measures) {
    if (measure.in_old && measure.in_new && measure.old_whole + measure.new_whole != 0) {
      return measure.name;
    }
  }
  return report::kCallsMeasure;
}

// The one that was asked for, else measure_of_both().
Result<std::size_t> choose_measure(diff::Comparison& comparison, const std::string& name) {
  report::ReportModel& both = comparison.both;
  both.shown = report::kCallsMeasure;
  if (!name.empty()) {
    if (Status status = report::show_measure(both, name, report::kEitherReport); !status)
      return status;
  } else {
    both.shown = measure_of_both(comparison);
  }
  for (std::size_t i = 0; i < comparison.measures.size(); ++i) {
    const diff::ComparedMeasure& measure = comparison.measures[i];
    if (measure.name != both.shown) continue;
    if (measure.in_old == measure.in_new) return i;
    if (name.empty())
      return Status::error(Fault::kNotFound, comparison.new_name + ": has no measure that " +
                                                 comparison.old_name + " has");
    return Status::error(Fault::kNotFound, "--measure " + name + ": " +
                                               diff::absent_measure(comparison, i, measure.in_old));
  }
  return std::size_t{0};
}

// NEW is cut to what the baseline has.
Result<diff::Comparison> compare_with_baseline(const DiffArguments& arguments, Progress& progress) {
  const Result<std::string> text = text_of_file(arguments.old_file);
  if (!text.ok()) return text.status();
  Result<baseline::Baseline> old_one = baseline::read(*text, arguments.old_file);
  if (!old_one.ok()) return old_one.status();
  Result<report::ReportModel> new_report =
      read(arguments.new_file, slice_of(arguments, 1), progress);
  if (!new_report.ok()) return new_report.status();
  std::vector<std::string> measures;
  for (const report::ReportModel::Measure& measure : old_one->report.measures) {
    measures.push_back(measure.name);
  }
  baseline::keep_measures(*new_report, measures);
  report::PartOptions part;
  part.focus = old_one->focus;
  if (Status status = report::cut(*new_report, part); !status) {
    return status.behind(arguments.new_file + ": ");
  }
  progress.now("comparing");
  Result<diff::Renames> renames = diff::Renames::parse(arguments.renamed);
  if (!renames.ok()) return renames.status();
  Result<diff::Comparison> comparison =
      diff::compare(std::move(old_one->report), arguments.old_file, std::move(*new_report),
                    arguments.new_file, {identity::kByMethodsAlone, std::move(*renames)});
  if (!comparison.ok()) return comparison;
  diff::evict_alike(*comparison);
  for (const std::string& glob : part.focus) {
    comparison->part.push_back("contexts through " + glob + " (" + arguments.old_file + ")");
  }
  return comparison;
}

// Sums of a report's measures, with what is taken out of them later.
using Wholes = std::map<std::string, std::uint64_t>;

Wholes wholes_of(const report::ReportModel& model) {
  Wholes wholes;
  for (const report::ReportModel::Measure& measure : model.measures) {
    wholes[measure.name] = diff::sum_of(measure.values);
  }
  return wholes;
}

// Compares what is left without some parts; the shares of it are of the whole reports.
Result<diff::Comparison> compare_without(const DiffArguments& arguments,
                                         report::ReportModel old_report,
                                         const std::string& old_name,
                                         report::ReportModel new_report,
                                         const std::string& new_name) {
  Result<diff::Renames> renames = diff::Renames::parse(arguments.renamed);
  if (!renames.ok()) return renames.status();
  diff::CompareOptions options{arguments.id_rules.rules(), std::move(*renames)};
  // Slices of one run are of one code: a call from another place is another call.
  const bool are_of_one_code =
      !arguments.slices.empty() && arguments.old_file == arguments.new_file;
  if (are_of_one_code && !arguments.id_rules.sites) {
    options.rules.sites = identity::Sites::kBytecodeIndex;
  }
  if (arguments.without.empty()) {
    return diff::compare(std::move(old_report), old_name, std::move(new_report), new_name, options);
  }
  const Wholes before = wholes_of(old_report), now = wholes_of(new_report);
  for (report::ReportModel* const model : {&old_report, &new_report}) {
    const std::size_t notes = model->notes.size();
    take_out(*model, arguments.without, {});
    model->notes.resize(notes);  // those of one report name other options
  }
  Result<diff::Comparison> comparison =
      diff::compare(std::move(old_report), old_name, std::move(new_report), new_name, options);
  if (!comparison.ok()) return comparison;
  for (diff::ComparedMeasure& measure : comparison->measures) {
    if (before.contains(measure.name)) measure.old_whole = before.at(measure.name);
    if (now.contains(measure.name)) measure.new_whole = now.at(measure.name);
  }
  std::string parts;
  for (const std::string& part : arguments.without) parts += (parts.empty() ? "" : ",") + part;
  comparison->part.push_back("what is left without " + parts + " (--without)");
  return comparison;
}

Result<diff::Comparison> compare_reports(const DiffArguments& arguments, Progress& progress) {
  const auto name = [&](const std::string& file, std::size_t report) {
    const std::string slice = slice_of(arguments, report);
    return slice.empty() ? file : file + ", slice " + printable(slice);
  };
  // At the same time, where a thread can be had: large reports take seconds.
  auto reading =
      std::async([&] { return read(arguments.new_file, slice_of(arguments, 1), progress); });
  Result<report::ReportModel> old_report =
      read(arguments.old_file, slice_of(arguments, 0), progress);
  Result<report::ReportModel> new_report = reading.get();
  if (!old_report.ok()) return old_report.status();
  if (!new_report.ok()) return new_report.status();
  progress.now("comparing");
  return compare_without(arguments, std::move(old_report).value(), name(arguments.old_file, 0),
                         std::move(new_report).value(), name(arguments.new_file, 1));
}

// Lists and totals have the base of rankings of a report. A baseline and rules are of everything, a page leaves out for
// itself, and --without names what is left out.
bool leaves_out(const DiffArguments& arguments, DiffFormat format) {
  return !arguments.shows_all && arguments.without.empty() && format != DiffFormat::kHtml &&
         !is_baseline(arguments.old_file);
}

Result<diff::Comparison> compare(const DiffArguments& arguments, DiffFormat format,
                                 Progress& progress) {
  Result<diff::Comparison> comparison = is_baseline(arguments.old_file)
                                            ? compare_with_baseline(arguments, progress)
                                            : compare_reports(arguments, progress);
  if (!comparison.ok()) return comparison;
  if (!arguments.gate.asked_for() && leaves_out(arguments, format)) diff::leave_out(*comparison);
  if (Status status = diff::cut(*comparison, arguments.cut); !status) return status;
  return comparison;
}

Status put(diff::Comparison& comparison, std::size_t measure, DiffFormat format,
           const DiffArguments& arguments, report::Output& out) {
  if (format == DiffFormat::kHtml) {
    return report::write_report(diff::page_model(std::move(comparison)),
                                report::ReportFormat::kHtml, {}, out);
  }
  const diff::Findings findings = diff::find_all(comparison, measure);
  if (format == DiffFormat::kJson) {
    diff::JsonOptions options;
    options.top = arguments.top.value_or(options.top);
    diff::write_json(comparison, findings, options, out);
  } else if (format == DiffFormat::kMarkdown) {
    diff::write_markdown(comparison, findings, arguments.top, out);
  } else {
    diff::TextOptions options;
    options.top = arguments.top.value_or(options.top);
    options.width = arguments.width         ? *arguments.width
                    : arguments.to_stdout() ? line_width()
                                            : report::TextLines::kUncut;
    diff::write_text(comparison, findings, options, out);
  }
  return {};
}

int write(diff::Comparison& comparison, std::size_t measure, DiffFormat format,
          const DiffArguments& arguments) {
  if (arguments.to_stdout()) {
    report::DescriptorOutput out(STDOUT_FILENO, "standard output");
    if (Status status = put(comparison, measure, format, arguments, out); !status) {
      return failure(status);
    }
    const Status status = out.finish();
    return status.ok() || out.reader_gone() ? 0 : failure(status);
  }
  report::AtomicFile file(arguments.output);
  Status status = put(comparison, measure, format, arguments, file);
  if (status.ok()) status = file.commit();
  return status.ok() ? 0 : failure(status);
}

// Returns an error if `path`, which is written, is a file that is read.
Status check_replaces_nothing_read(const std::string& path, const DiffArguments& arguments) {
  for (const std::string& rules : arguments.gate.files) {
    if (Status status = agent::check_replaces_none(path, {{rules, "a file of rules"}}); !status) {
      return status;
    }
  }
  return agent::check_replaces_none(path, {{arguments.old_file, "the report that is read"},
                                           {arguments.new_file, "the report that is read"}});
}

// With rules and no file for the differences only what became of the rules is told, with --top contexts of a broken one.
Status check_gate(const CLI::App& command, const DiffArguments& arguments) {
  if (arguments.output == "-") {
    return Status::error(Fault::kUsage,
                         "--output -: standard output has what became of the rules; name a file");
  }
  if (!arguments.to_stdout()) return {};
  return check_not_named(command, {"--measure", "--format"},
                         "with rules, unless --output names a file for the differences");
}

Status check_junit(const DiffArguments& arguments) {
  if (arguments.gate.junit.empty()) return {};
  for (const Status& status :
       {check_replaces_nothing_read(arguments.gate.junit, arguments),
        agent::check_replaces_none(arguments.gate.junit,
                                   {{arguments.output, "the file for the differences"}})}) {
    if (!status) return status;
  }
  return agent::check_writable(arguments.gate.junit);
}

// Returns the exit status of a usage error, before anything is read; 0 if there is none.
int check_usage(const CLI::App& command, const DiffArguments& arguments) {
  const bool is_gate = arguments.gate.asked_for();
  const auto failed = [&](const Status& failed_status) {
    const int status = failure(failed_status);
    return is_gate ? kCannotSay : status;
  };
  if (is_baseline(arguments.old_file)) {
    if (Status status = check_not_named(command, {"--sites", "--names"},
                                        "with a baseline, which has no call sites");
        !status) {
      return failure(status);
    }
    if (Status status = check_not_named(command, {"--without"},
                                        "with a baseline, which does not tell such threads");
        !status) {
      return failure(status);
    }
  }
  if (const auto renames = diff::Renames::parse(arguments.renamed); !renames.ok()) {
    return failure(renames.status());
  }
  if (const std::string& digits = arguments.cut.context; !digits.empty()) {
    if (Status status = identity::check_digits(digits); !status) {
      return failure(status.behind("--context "));
    }
  }
  if (is_gate) {
    if (Status status = check_gate(command, arguments); !status) {
      return failure(status);
    }
    if (Status status = check_junit(arguments); !status) return failed(status);
  }
  if (arguments.to_stdout()) return 0;
  if (Status status = check_replaces_nothing_read(arguments.output, arguments); !status) {
    return failure(status);
  }
  if (Status status = agent::check_writable(arguments.output); !status) return failed(status);
  return 0;
}

}  // namespace

void add_renamed_option(CLI::App& command, std::vector<std::string>& renamed) {
  command
      .add_option(
          "--renamed", renamed,
          "Take a method or class of OLD for another one of NEW: Dao.find=Dao.load, "
          "'com.acme.**=org.acme.**' (a star stands for the same on both sides); repeatable")
      ->type_name("OLD=NEW")
      ->expected(1)
      ->allow_extra_args(false)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
}

bool is_baseline(const std::string& file) { return kind_of_file(file) == FileKind::kBaseline; }

int diff_reports(const CLI::App& command, const DiffArguments& arguments) {
  const Result<DiffFormat> format = format_of(arguments);
  if (!format.ok()) return failure(format);
  if (const int status = check_usage(command, arguments); status != 0) return status;
  if (*format == DiffFormat::kHtml && arguments.to_stdout() && ::isatty(STDOUT_FILENO) == 1) {
    return usage_error("--format html: a page is of no use on a terminal; add -o FILE.html");
  }
  const bool is_gate = arguments.gate.asked_for();
  std::vector<gate::Rule> rules;
  if (is_gate) {
    Result<std::vector<gate::Rule>> read = read_rules(arguments.gate);
    if (!read.ok()) return usage_error_in_lines(read.message());
    rules = std::move(*read);
  }
  auto progress = std::make_unique<Progress>("reading " + arguments.old_file);
  const auto failed = [&](const Status& failed_status) {
    progress.reset();  // the line must be gone before anything else is said
    const int status = failure(failed_status);
    return is_gate ? kCannotSay : status;
  };
  Result<diff::Comparison> comparison = compare(arguments, *format, *progress);
  if (!comparison.ok()) return failed(comparison.status());
  const bool only_judges = is_gate && arguments.to_stdout();
  const Result<std::size_t> measure = choose_measure(*comparison, arguments.measure);
  if (!only_judges && !measure.ok()) return failed(measure.status());
  progress.reset();
  // With a file for the differences --top is that file's.
  const std::size_t contexts =
      only_judges ? arguments.top.value_or(kContextsOfRule) : kContextsOfRule;
  const int judged =
      is_gate ? judge(rules, *comparison, arguments.gate, contexts,
                      only_judges ? arguments.width.value_or(line_width()) : line_width())
              : 0;
  if (only_judges) return judged;
  if (is_gate && leaves_out(arguments, *format)) diff::leave_out(*comparison);
  const int written = write(*comparison, *measure, *format, arguments);
  if (!is_gate) return written;
  return judged == 0 && written != 0 ? kCannotSay : judged;
}

void add_diff_command(CLI::App& app, int& exit_status) {
  CLI::App* command =
      app.add_subcommand("diff", "Say what is different in the second of two reports");
  const auto arguments = std::make_shared<DiffArguments>();
  command->add_option("old", arguments->old_file, "Report to compare with, JSON; or a baseline")
      ->required();
  command->add_option("new", arguments->new_file,
                      "Report that is compared, JSON; without it two slices of OLD are compared");
  command
      ->add_option(
          "--slice", arguments->slices,
          "Compare a slice of each report, of runs with --slice: an ID, slowest, most-calls or "
          "typical; given twice, first OLD's, then NEW's")
      ->type_name("ID")
      ->expected(1)
      ->allow_extra_args(false)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  command
      ->add_option("--measure", arguments->measure,
                   "Measure to compare by, cpu for cpu_ns (calls where they were counted)")
      ->type_name("NAME");
  add_part_options(*command, arguments->cut.context, arguments->cut.part);
  CLI::Option* const all = command->add_flag(
      "--all", arguments->shows_all,
      "text, markdown, json: also the JVM's own threads and threads that wait for work");
  add_without_option(*command, arguments->without,
                     "; text, markdown and json do so by themselves, html and rules do not")
      ->excludes(all);
  command
      ->add_option(
          "--format", arguments->format,
          "text, markdown, json or html; without it the ending of --output decides, else text")
      ->type_name("FORMAT");
  command->add_option("-o,--output", arguments->output, "File to write instead of standard output")
      ->type_name("FILE");
  command
      ->add_option(
          "--top", arguments->top,
          "text, json: rows of each list (10; 1,000); markdown: changes (as many as ten lines "
          "take); with rules and no --output: contexts of each broken rule (5)")
      ->check(whole_number())
      ->type_name("N");
  add_width_option(*command, arguments->width);
  add_renamed_option(*command, arguments->renamed);
  add_id_rule_options(*command, arguments->id_rules, identity::kByMethodsAlone);
  add_gate_options(*command, arguments->gate);
  command->callback([arguments, command, &exit_status] {
    if (arguments->slices.size() > 2) {
      exit_status = usage_error("--slice: there are two reports to compare slices of");
      return;
    }
    if (arguments->new_file.empty()) {
      if (arguments->slices.size() < 2) throw CLI::RequiredError("new");
      arguments->new_file = arguments->old_file;
    }
    exit_status = diff_reports(*command, *arguments);
  });
}

}  // namespace copse::cli
