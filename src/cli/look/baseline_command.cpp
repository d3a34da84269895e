// copse baseline save REPORT -o BASELINE, copse baseline check BASELINE NEW: a gate whose baseline is a small text.
#include <CLI/CLI.hpp>
#include <memory>
#include <string>
#include <vector>

#include "agent/output_path.h"
#include "base/grouped.h"
#include "cli/commands.h"
#include "cli/file_kind.h"
#include "cli/look/diff_options.h"
#include "cli/look/part_options.h"
#include "cli/messages.h"
#include "cli/program_options.h"
#include "cli/standard_output.h"
#include "compare/baseline/baseline.h"
#include "report/model/display_names.h"
#include "report/model/json_reader.h"
#include "report/model/output.h"
#include "report/report_file.h"

namespace copse::cli {
namespace {

struct BaselineArguments {
  std::string word;  // save or check
  std::vector<std::string> files;
  baseline::BaselineChoice choice;
  DiffArguments diff;
};

Status save(const BaselineArguments& arguments) {
  const std::string& input = arguments.files.front();
  const std::string& output = arguments.diff.output;
  if (output.empty()) return Status::error(Fault::kUsage, "baseline save: needs -o FILE");
  if (arguments.choice.most < 2) {
    return Status::error(Fault::kUsage, "--max-contexts: two contexts at least");
  }
  for (const Status& status :
       {check_kind(input, {FileKind::kReport}, "a report as JSON"),
        agent::check_replaces_none(output, {{input, "the report that is read"}}),
        report::check_other_ending(output, "a baseline", ".txt", {report::ReportFormat::kSummary}),
        agent::check_writable(output)}) {
    if (!status) return status;
  }
  Result<report::ReportModel> report = report::read_json_file(input);
  if (!report.ok()) return report.status();
  const Result<baseline::Baseline> made = baseline::chosen(std::move(*report), arguments.choice);
  if (!made.ok()) return made.status().behind(input + ": ");
  report::AtomicFile file(output);
  baseline::write(*made, file);
  if (Status status = file.commit(); !status) return status;
  const report::ReportModel::Totals& totals = made->report.totals;
  if (totals.evicted_contexts != 0) {
    say(output + ": " + counted(totals.evicted_contexts, "context") + " with " +
        report::percent(totals.evicted_calls, totals.calls) +
        " of the calls have no line of their own (--max-contexts, --focus)");
  }
  return {};
}

// Without a rule, no context may be called more often, and no other measure may have more.
Status add_usual_rules(DiffArguments& diff) {
  if (!diff.gate.typed.empty() || !diff.gate.files.empty()) return {};
  const Result<std::string> text = text_of_file(diff.old_file);
  if (!text.ok()) return text.status();
  const Result<baseline::Baseline> old_one = baseline::read(*text, diff.old_file);
  if (!old_one.ok()) return old_one.status();
  diff.gate.typed.push_back("more contexts(**)");
  for (const report::ReportModel::Measure& measure : old_one->report.measures) {
    if (measure.name.starts_with(report::kLeast) || measure.name.starts_with(report::kGreatest)) {
      continue;
    }
    diff.gate.typed.push_back(measure.name + "(**) > +0");
  }
  return {};
}

int check(const CLI::App& command, BaselineArguments& arguments) {
  DiffArguments& diff = arguments.diff;
  diff.old_file = arguments.files[0];
  diff.new_file = arguments.files[1];
  const auto failed = [](const Status& status) {
    failure(status);
    return kCannotSay;
  };
  if (Status status = check_kind(diff.old_file, {FileKind::kBaseline}, "a baseline"); !status) {
    return failed(status);
  }
  if (Status status = add_usual_rules(diff); !status) return failed(status);
  return diff_reports(command, diff);
}

int save_or_check(const CLI::App& command, BaselineArguments& arguments) {
  const bool saves = arguments.word == "save";
  if (!saves && arguments.word != "check") {
    return usage_error(
        "baseline " + arguments.word +
        ": no such word; copse baseline has save REPORT -o FILE, and check BASELINE REPORT");
  }
  if (arguments.files.size() != (saves ? 1 : 2)) {
    return usage_error(saves ? "baseline save: takes one report"
                             : "baseline check: takes a baseline and a report");
  }
  const Status named =
      saves ? check_not_named(command, {"--renamed", "--fail-if", "--rules", "--junit"},
                              "with save, which compares nothing")
            : check_not_named(command, {"--focus", "--measure", "--max-contexts"},
                              "with check: the baseline has its contexts");
  if (!named) return failure(named);
  if (!saves) return check(command, arguments);
  const Status status = save(arguments);
  return status ? 0 : failure(status);
}

}  // namespace

void add_baseline_command(CLI::App& app, int& exit_status) {
  CLI::App* command = app.add_subcommand(
      "baseline", "Keep contexts of a report as a small text; check a report with it");
  const auto arguments = std::make_shared<BaselineArguments>();
  command->add_option("word", arguments->word, "save or check")->required();
  command
      ->add_option("files", arguments->files,
                   "save: the report, JSON; check: the baseline, then the report")
      ->required();
  command
      ->add_option("-o,--output", arguments->diff.output,
                   "save: the baseline; check: file for the differences (.md, .html, .json, .txt)")
      ->type_name("FILE");
  add_globs(*command, "--focus", arguments->choice.focus,
            "save: only contexts through a class or method of this name; repeatable");
  command
      ->add_option("--measure", arguments->choice.measures,
                   "save: measures beside calls, such as alloc (of --measure alloc=exact)")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->type_name("NAME,...");
  command
      ->add_option("--max-contexts", arguments->choice.most,
                   "save: contexts with a line of their own, those with the most calls; the others "
                   "are summed at their callers")
      ->type_name("N")
      ->capture_default_str()
      ->check(whole_number());
  add_renamed_option(*command, arguments->diff.renamed);
  add_gate_options(*command, arguments->diff.gate);
  command->footer(
      "check: without a rule, no context may be called more often than in the baseline,\n"
      "and no measure of the baseline may have a larger sum.\n"
      "Status 0: the rules hold, 1: one is broken, 2: the reports cannot say.");
  command->callback(
      [arguments, command, &exit_status] { exit_status = save_or_check(*command, *arguments); });
}

}  // namespace copse::cli
