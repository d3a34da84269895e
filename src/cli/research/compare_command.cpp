// copse compare [TRACE] [-- COMMAND...]: precision, time and memory of every representation on a
// trace, and what those that probes keep cost a whole program.

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <optional>

#include "agent/options.h"
#include "agent/output_path.h"
#include "base/joined_text.h"
#include "base/nearest.h"
#include "cli/commands.h"
#include "cli/messages.h"
#include "cli/program_options.h"
#include "cli/progress.h"
#include "cli/research/live_rounds.h"
#include "cli/standard_output.h"
#include "cli/study_options.h"
#include "encoders/study/reports.h"
#include "report/report_file.h"

namespace copse::cli {
namespace {

// Fewer than validate: each is decoded, and decoding is timed.
constexpr std::uint64_t kMostSamplesCompared = 1 << 14;

struct CompareArguments : StudyArguments {
  std::string format;
  std::string output;  // "" or "-": standard output
  std::uint64_t rounds = 3;
  bool details = false;
  agent::AgentOptions live;  // of a command, but for encoder and graph
};

Result<std::string> chosen_format(const CompareArguments& arguments) {
  static const std::vector<std::string> names = {"text", "json"};
  if (!arguments.format.empty()) {
    for (const std::string& name : names) {
      if (name == arguments.format) return name;
    }
    return Status::error(Fault::kUsage,
                         "--format " + arguments.format + ": no such format" +
                             did_you_mean(arguments.format, names, "; there are text, json"));
  }
  if (arguments.output.ends_with(".json")) return std::string("json");
  if (arguments.output == "-") return std::string("text");
  if (Status status =
          report::check_other_ending(arguments.output, "a comparison", ".txt or .json",
                                     {report::ReportFormat::kSummary, report::ReportFormat::kJson});
      !status) {
    return status;
  }
  return std::string("text");
}

Result<study::Comparison> on_trace(const CompareArguments& arguments, Progress& progress) {
  Result<PreparedStudy> prepared = prepare_study(arguments);
  if (!prepared.ok()) return prepared.status();
  progress.now("comparing on " + arguments.trace);
  Result<study::Comparison> comparison = study::compare_schemes(
      *prepared->stream, prepared->survey,
      figures_of(prepared->survey, prepared->trace_name, arguments.samples,
                 prepared->config_options),
      arguments.encoders, prepared->config, {arguments.rounds, prepared->check});
  if (!comparison.ok()) return about_trace(arguments, comparison.status());
  return comparison;
}

std::string text_of(const study::Comparison& comparison, const std::string& format, bool details) {
  return format == "json" ? study::comparison_json(comparison)
                          : study::comparison_text(comparison, details);
}

std::string text_of(const study::LiveComparison& live, const std::string& format, bool details) {
  return format == "json" ? study::live_json(live) : study::live_text(live, details);
}

Status check_effects(const CLI::App& command, const CompareArguments& arguments,
                     const std::vector<std::string>& live_encoders) {
  const bool graph_is_run_with = std::ranges::any_of(live_encoders, agent::needs_graph);
  if (!arguments.trace.empty()) return check_study_effects(command, arguments, graph_is_run_with);
  if (Status status = check_none_of(command, kOfTraces); !status) return status;
  if (graph_is_run_with) return {};
  return check_not_named(command, {"--graph"},
                         "on a command with other encoders than " + agent::graph_encoders());
}

Status check_arguments(const CLI::App& command, CompareArguments& arguments,
                       const std::vector<std::string>& program,
                       std::vector<std::string>& live_encoders) {
  if (arguments.trace.empty() && program.empty()) {
    return Status::error(
        Fault::kUsage,
        "compare: no trace and no command; write copse compare TRACE, or copse compare "
        "[TRACE] -- COMMAND [ARG...]");
  }
  live_encoders = inline_encoders(arguments.encoders);
  const std::vector<std::string> asked = arguments.encoders;
  if (!program.empty() && !arguments.encoders.empty()) {
    // For a trace, pcc means pcc32 and pcc64.
    std::erase_if(arguments.encoders, [&](const std::string& name) {
      return encoders::find_encoder(name) == nullptr &&
             std::ranges::find(live_encoders, name) != live_encoders.end();
    });
    if (arguments.encoders.empty() && !arguments.trace.empty()) {
      return Status::error(
          Fault::kUsage,
          "compare: --encoder pcc: a trace has pcc32 and pcc64 instead; name one of them, too");
    }
  }
  if (Status status = check_study_options(arguments); !status.ok()) return status;
  if (program.empty()) {
    if (Status status = check_none_of(command, kOfPrograms); !status) return status;
  }
  const bool only_command = !program.empty() && arguments.trace.empty();
  for (const std::string& name : asked) {
    const bool runs = std::ranges::find(live_encoders, name) != live_encoders.end();
    if (runs || (!only_command && (program.empty() || !live_encoders.empty()))) continue;
    return Status::error(Fault::kUsage, "compare: --encoder " + name +
                                            ": no program runs with it; a command needs one of " +
                                            joined_text(agent::encoder_names()));
  }
  return check_effects(command, arguments,
                       program.empty() ? std::vector<std::string>() : live_encoders);
}

int compare(const CLI::App& command, CompareArguments& arguments,
            const std::vector<std::string>& program) {
  const Result<std::string> format = chosen_format(arguments);
  if (!format.ok()) return failure(format);
  std::vector<std::string> live_encoders;
  if (Status status = check_arguments(command, arguments, program, live_encoders); !status.ok()) {
    return failure(status);
  }
  const bool to_stdout = arguments.output.empty() || arguments.output == "-";
  if (!to_stdout) {
    if (Status status = agent::check_replaces_none(
            arguments.output, {{arguments.trace, "the trace that is read"},
                               {arguments.graph, "the call graph that is read"}});
        !status.ok()) {
      return failure(status);
    }
    if (Status status = agent::check_writable(arguments.output); !status.ok()) {
      return failure(status);
    }
  }
  if (Status inputs = check_study_inputs(arguments); !inputs.ok()) {
    return failure(inputs);
  }
  std::optional<study::Comparison> comparison;
  std::optional<study::LiveComparison> live;
  Status status;
  {
    Progress progress("reading " + arguments.trace);
    if (!arguments.trace.empty()) {
      Result<study::Comparison> made = on_trace(arguments, progress);
      if (made.ok()) {
        comparison = std::move(*made);
      } else {
        status = made.status();
      }
    }
    if (status.ok() && !program.empty()) {
      Result<study::LiveComparison> made = run_live_rounds(
          {program, arguments.live, live_encoders, arguments.graph, arguments.rounds}, progress);
      if (made.ok()) {
        live = std::move(*made);
      } else {
        status = made.status();
      }
    }
  }
  if (!status.ok()) return failure(status);
  const bool failed = live && live->has_failed();
  if (comparison) comparison->live = live;
  const int written =
      write_text_to(arguments.output, comparison ? text_of(*comparison, *format, arguments.details)
                                                 : text_of(*live, *format, arguments.details));
  return written == 0 && failed ? 1 : written;
}

}  // namespace

void add_compare_command(CLI::App& app, const std::vector<std::string>& program, int& exit_status) {
  CLI::App* command =
      app.add_subcommand("compare", "Compare encodings of contexts: precision, time and memory");
  command->footer(
      "A trace: replays it with every known encoding of contexts, side by side.\n"
      "-- COMMAND: runs the command without Copse, then once with each live encoder;\n"
      "prints slowdown and memory. --graph REPORT adds " +
      agent::graph_encoders() +
      ".\n"
      "A trace and a command: prints both tables.");
  const auto arguments = std::make_shared<CompareArguments>();
  add_study_options(*command, *arguments, kMostSamplesCompared);
  command->get_option("trace")->required(false);
  command->add_option("--rounds", arguments->rounds, "Rounds to run; times are their medians (3)")
      ->check(CLI::Range(1, 1000))
      ->type_name("N");
  command->add_flag(
      "--details", arguments->details,
      "Add entries on stacks, ids, anchors and re-encodings to the text; JSON has them always");
  arguments->live = agent::options_of_mode<agent::IdOptions>();
  add_agent_options(*command, arguments->live, {"mark", "include", "exclude"}, kOfPrograms);
  command->get_option("--mark")->description(
      "Ask each encoder for an id at entries of these methods, and walk the stack there "
      "(stack-walk); repeatable");
  command
      ->add_option("--format", arguments->format,
                   "text or json; without it the ending of --output decides, else text")
      ->type_name("FORMAT");
  command->add_option("-o,--output", arguments->output, "File to write instead of standard output")
      ->type_name("FILE");
  command->callback([command, arguments, &program, &exit_status] {
    exit_status = compare(*command, *arguments, program);
  });
}

}  // namespace copse::cli
