// copse replay TRACE [options] [-o REPORT]: the report of a recorded or written trace.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>
#include <optional>

#include "agent/output_path.h"
#include "base/grouped.h"
#include "cli/commands.h"
#include "cli/file_kind.h"
#include "cli/messages.h"
#include "cli/profile/manifest_words.h"
#include "cli/program_options.h"
#include "cli/progress.h"
#include "cli/research/replay.h"
#include "report/report_file.h"
#include "trace/open_trace.h"

namespace copse::cli {
namespace {

struct ReplayArguments {
  std::string trace;
  std::string output;  // "": the trace's name, ending in .json
  agent::AgentOptions options;
  bool quiet = false;
};

int replay(ReplayArguments& arguments) {
  if (std::get<agent::TreeOptions>(arguments.options.mode).engine == agent::EngineKind::kInline) {
    return usage_error(
        "--engine inline: builds trees in a program's probes, which a trace has not; "
        "replay has parallel and uptree");
  }
  if (const Status status = check_agent_options(arguments.options); !status) {
    return failure(status);
  }
  if (Status status = check_kind(arguments.trace, {FileKind::kTrace}, "a trace"); !status) {
    return failure(status);
  }
  if (arguments.output.empty()) {
    arguments.output = std::filesystem::path(arguments.trace).replace_extension(".json").string();
    if (agent::is_same_file(arguments.output, arguments.trace)) {
      return usage_error(arguments.trace + ": the report would replace it; add -o REPORT");
    }
  }
  if (const Status status = agent::check_replaces_none(
          arguments.output, {{arguments.trace, "the trace that is read"}});
      !status) {
    return failure(status);
  }
  if (const Status status = report::check_report_ending(arguments.output); !status) {
    return failure(status);
  }
  if (const Status status = agent::check_writable(arguments.output); !status) {
    return failure(status);
  }
  Result<std::unique_ptr<trace::Trace>> trace = trace::open_whole_trace(arguments.trace);
  if (!trace.ok()) return failure(trace);
  std::optional<Progress> progress(std::in_place, "replaying " + arguments.trace);
  Result<Replayed> replayed = replay_trace(**trace, arguments.options);
  progress.reset();  // the line must be gone before anything else is said
  if (!replayed.ok()) return failure(replayed);
  const report::ReportModel::Totals& totals = replayed->report.totals;
  if (!replayed->damage.ok() && totals.calls == 0) return failure(replayed->damage);
  if (const Status status = report::write_report_file(replayed->report, arguments.output,
                                                      arguments.options.max_contexts);
      !status) {
    return failure(status);
  }
  if (!replayed->damage.ok()) {
    return failure(replayed->damage.message() + " (" + counted(totals.calls, "call") +
                   " before it: " + arguments.output + ")");
  }
  if (!arguments.quiet) {
    say(in_words(agent::FileNote{.path = arguments.output,
                                 .count = totals.calls,
                                 .size = totals.contexts,
                                 .lost = totals.calls_lost,
                                 .program = ""}));
  }
  return 0;
}

}  // namespace

void add_replay_command(CLI::App& app, int& exit_status) {
  auto arguments = std::make_shared<ReplayArguments>();
  CLI::App* command = app.add_subcommand("replay", "Make the report of a trace");
  command->add_option("trace", arguments->trace, "Trace of copse record, or a text trace")
      ->required();
  command
      ->add_option("-o,--output", arguments->output,
                   "Report to write. The ending decides the format; without it the trace's name, "
                   "ending in .json")
      ->type_name("FILE");
  std::get<agent::TreeOptions>(arguments->options.mode).engine = agent::EngineKind::kParallel;
  add_agent_options(*command, arguments->options,
                    {"no-sites", "recursion", "memory", "max-contexts", "engine"});
  command->get_option("--engine")
      ->type_name("parallel|uptree")
      ->description(
          "Builder of contexts from packets of calls; with settings: "
          "parallel:workers=2:packet=4096, "
          "uptree:every=100");
  command->add_flag("-q,--quiet", arguments->quiet, "Print nothing but errors");
  command->callback([arguments, &exit_status] { exit_status = replay(*arguments); });
}

}  // namespace copse::cli
