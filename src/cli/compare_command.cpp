// copse compare TRACE [--format FORMAT] [-o OUT]: precision, time and memory of every
// representation.
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <optional>

#include "agent/output_path.h"
#include "cli/commands.h"
#include "cli/messages.h"
#include "cli/progress.h"
#include "cli/standard_output.h"
#include "cli/study_options.h"
#include "study/html_report.h"
#include "study/json_report.h"
#include "study/text_report.h"

namespace copse {
namespace {

// Fewer than validate: each is decoded, and decoding is timed.
constexpr std::uint64_t kMostSamples = 1 << 14;

struct Arguments : StudyArguments {
  std::string format;
  std::string output;  // "" or "-": standard output
  std::uint64_t rounds = 3;
};

Result<std::string> chosen_format(const Arguments& arguments) {
  static const std::vector<std::string> names = {"text", "json", "html"};
  if (!arguments.format.empty()) {
    for (const std::string& name : names) {
      if (name == arguments.format) return name;
    }
    return Status::error("--format " + arguments.format + ": no such format" +
                         did_you_mean(arguments.format, names, "; there are text, json, html"));
  }
  for (const auto& [ending, name] :
       {std::pair(".json", "json"), std::pair(".html", "html"), std::pair(".htm", "html")}) {
    if (arguments.output.ends_with(ending)) return std::string(name);
  }
  return std::string("text");
}

int compare(Arguments& arguments) {
  const Result<std::string> format = chosen_format(arguments);
  if (!format.ok()) return usage_error(format.message());
  if (Status status = check_study_options(arguments); !status.ok()) {
    return usage_error(status.message());
  }
  const bool to_stdout = arguments.output.empty() || arguments.output == "-";
  if (*format == "html" && to_stdout && ::isatty(STDOUT_FILENO) == 1) {
    return usage_error("--format html: a page is of no use on a terminal; add -o FILE.html");
  }
  if (!to_stdout) {
    if (Status status = check_writable(arguments.output); !status.ok()) {
      return failure(status.message());
    }
  }
  auto progress = std::make_unique<Progress>("reading " + arguments.trace);
  Result<PreparedStudy> prepared = prepare_study(arguments);
  if (!prepared.ok()) {
    progress.reset();
    return failure(prepared.message());
  }
  progress->now("comparing on " + arguments.trace);
  const Result<study::Comparison> comparison = study::compare_schemes(
      *prepared->stream, prepared->survey,
      figures_of(prepared->survey, prepared->trace_name, arguments.samples,
                 prepared->config_options),
      arguments.encoders, prepared->config, {arguments.rounds, prepared->check});
  progress.reset();
  if (!comparison.ok()) return failure(about_trace(arguments, comparison.message()));
  const std::string text = *format == "json"   ? study::comparison_json(*comparison)
                           : *format == "html" ? study::comparison_html(*comparison)
                                               : study::comparison_text(*comparison);
  return write_text_to(arguments.output, text);
}

}  // namespace

void add_compare_command(CLI::App& app, int& exit_status) {
  CLI::App* command = app.add_subcommand(
      "compare", "Compare precision, time and memory of all representations on a trace");
  const auto arguments = std::make_shared<Arguments>();
  add_study_options(*command, *arguments, kMostSamples);
  command->add_option("--rounds", arguments->rounds, "Times are the medians of so many rounds (3)")
      ->check(CLI::Range(1, 1000))
      ->type_name("N");
  command->add_option("--format", arguments->format,
                      "text, json or html; without it the ending of OUT decides, else text");
  command->add_option("-o,--output", arguments->output, "File to write instead of standard output");
  command->callback([arguments, &exit_status] { exit_status = compare(*arguments); });
}

}  // namespace copse
