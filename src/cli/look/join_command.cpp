// copse join REPORT SAMPLES -o JOINED: another profiler's samples on the tree of a report.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "agent/output_path.h"
#include "base/printable.h"
#include "base/shell_word.h"
#include "cli/commands.h"
#include "cli/file_kind.h"
#include "cli/look/samples_file.h"
#include "cli/messages.h"
#include "cli/progress.h"
#include "cli/standard_output.h"
#include "import/join.h"
#include "import/sampling_period.h"
#include "report/model/display_names.h"
#include "report/model/json_reader.h"
#include "report/model/quantity.h"
#include "report/model/thread_rows.h"
#include "report/report_file.h"

namespace copse::cli {
namespace {

struct JoinArguments {
  std::string report;
  std::string samples;
  std::string output;
  std::string name;             // of the measure; "": that of the samples
  std::string value;            // "": the one that the samples show
  std::uint64_t period_ns = 0;  // 0: samples stand for what they say
};

std::string sums_as_text(const join::JoinSums& sums, const join::SampledStacks& samples,
                         std::size_t value) {
  const report::Unit unit = report::unit_named(sums.unit);
  std::string text;
  const auto row = [&](std::uint64_t amount, const std::string& what) {
    text += fmt::format("{:>15} {:>7}  {}\n", report::in_words(unit, amount),
                        report::percent(amount, sums.samples), what);
  };
  row(sums.samples, "in all: " + sums.measure);
  row(sums.in_contexts, "in contexts");
  if (sums.evicted != 0) row(sums.evicted, "  of these in evicted contexts");
  if (sums.ambiguous != 0) {
    row(sums.ambiguous,
        "  of these fit several contexts: at unknown call sites, in nodes without calls");
  }
  row(sums.outside, "outside recorded code");
  row(sums.unmatched, "unmatched");
  for (const auto& [why, amount] : sums.reasons) row(amount, "  " + printable(why));
  if (sums.cut != 0) row(sums.cut, "in all of stacks without their outer frames, or without any");
  for (const auto* const notes : {&samples.values()[value].notes, &samples.origin.notes}) {
    for (const std::string& note : *notes) text += printable(note) + '\n';
  }
  return text;
}

Status check_arguments(const JoinArguments& arguments) {
  if (Status status = agent::check_replaces_none(
          arguments.output, {{arguments.report, "the report that is read"},
                             {arguments.samples == kStandardInput ? "" : arguments.samples,
                              "the samples that are read"}});
      !status) {
    return status;
  }
  return report::check_report_ending(arguments.output);
}

int join(const JoinArguments& arguments) {
  if (const Status status = check_arguments(arguments); !status) return failure(status);
  if (const Status status = agent::check_writable(arguments.output); !status) {
    return failure(status);
  }
  if (const Status status = check_kind(arguments.report, {FileKind::kReport}, "a report as JSON");
      !status) {
    return failure(status);
  }
  if (const Status status = check_samples_kind(arguments.samples, "samples of another profiler");
      !status) {
    return failure(status);
  }
  const std::string samples_name = name_of_samples(arguments.samples);
  auto progress = std::make_unique<Progress>("reading " + arguments.report);
  const auto failed = [&](const Status& status) {
    progress.reset();  // the line must be gone before anything else is said
    return failure(status);
  };
  Result<report::ReportModel> model = report::read_json_file(arguments.report);
  if (!model.ok()) return failed(model.status());
  progress->now("reading " + samples_name);
  const bool has_threads = !report::thread_rows(*model).empty();
  Result<join::SampledStacks> samples =
      read_samples_file(arguments.samples, has_threads ? join::FrameReading::kToCompareByThread
                                                       : join::FrameReading::kToCompare);
  if (!samples.ok()) return failed(samples.status());
  const Result<std::size_t> value = samples->value_named(arguments.value);
  if (!value.ok()) return failed(value.status().behind(samples_name + ": "));
  if (arguments.period_ns != 0) {
    const Status status = samples->take_each_for(*value, arguments.period_ns);
    if (!status) return failed(status.behind(samples_name + ": --period: "));
  }
  const join::SampledStacks::Value& chosen = samples->values()[*value];
  const std::string name = arguments.name.empty() ? join::measure_name(chosen) : arguments.name;
  if (const Status status = join::check_measure_name(*model, name); !status) {
    return failed(status.behind(arguments.report + ": "));
  }
  progress->now("joining");
  const join::JoinSums sums = join::join_samples(*model, *samples, *value, name);
  if (const Status status = report::write_report_file(*model, arguments.output); !status) {
    return failed(status);
  }
  progress.reset();
  return print_text(sums_as_text(sums, *samples, *value) + "to look at it: copse report " +
                    shell_path(arguments.output) + '\n');
}

}  // namespace

void add_join_command(CLI::App& app, int& exit_status) {
  CLI::App* command =
      app.add_subcommand("join", "Add another profiler's samples to a report, as one more measure");
  const auto arguments = std::make_shared<JoinArguments>();
  command->add_option("report", arguments->report, "Report to read, JSON")->required();
  command
      ->add_option(
          "samples", arguments->samples,
          "Samples of a run without Copse: collapsed stacks, a flight recording (of JFR, or "
          "what jfr print --json makes of it), or a profile of pprof; told by content, "
          "gzip or not; - is standard input")
      ->required();
  command
      ->add_option("-o,--output", arguments->output,
                   "File for the report with both; its ending decides the format")
      ->type_name("FILE")
      ->required();
  command
      ->add_option("--as", arguments->name,
                   "Name of the measure (joined_cpu_ns, joined_samples, or what the samples are)")
      ->type_name("NAME");
  command
      ->add_option("--value", arguments->value,
                   "Which value of the samples: an event as ExecutionSample, or a sample type of "
                   "pprof (what the file shows first; pprof: the last)")
      ->type_name("NAME");
  command
      ->add_option(
          "--period",
          [arguments](const CLI::results_t& words) {
            arguments->period_ns = join::ns_of_period(words.front());
            if (arguments->period_ns != 0) return true;
            throw CLI::ValidationError(
                "--period " + words.front() + ": is no time; for example 10ms",
                CLI::ExitCodes::ValidationError);
          },
          "How much time a sample stands for that does not say it, as 10ms")
      ->type_name("PERIOD");
  command->callback([arguments, &exit_status] { exit_status = join(*arguments); });
}

}  // namespace copse::cli
