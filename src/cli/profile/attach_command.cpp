#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "agent/output_path.h"
#include "base/printable.h"
#include "cli/commands.h"
#include "cli/messages.h"
#include "cli/profile/live_jvm.h"
#include "cli/program_options.h"
#include "report/report_file.h"

namespace copse::cli {
namespace {

struct AttachArguments {
  std::int64_t pid = 0;
  agent::AgentOptions options;
  bool quiet = false;
};

int attach(AttachArguments& arguments) {
  agent::AgentOptions& options = arguments.options;
  if (const Status status = check_agent_options(options); !status) {
    return usage_error(status.message());
  }
  if (const Status status = agent::check_attach_options(options, agent::Spelling::kCommandLine);
      !status) {
    return usage_error(status.message());
  }
  if (const Status status = report::check_report_ending(options.out); !status) {
    return usage_error(status.message());
  }
  // The JVM has a working directory of its own, and its standard error is the program's.
  options.out = agent::absolute_pattern(options.out);
  options.quiet = true;
  const Result<std::vector<agent::Note>> notes =
      tell_agent(arguments.pid, AgentIs::kBroughtAlong, options);
  if (!notes.ok()) return failure(notes.message());
  const auto* attached = agent::first_of<agent::AttachedNote>(*notes);
  if (attached == nullptr) return failure("the agent gave an answer of another version");
  if (arguments.quiet) return 0;
  fmt::print(stderr, "copse: recording, with probes in {} loaded {}{}: {}\n", attached->classes,
             attached->classes == 1 ? "class" : "classes",
             attached->refused == 0 ? "" : fmt::format(" ({} refused)", attached->refused),
             printable(attached->path));
  say_what_was_written(*notes);
  fmt::print(stderr, "copse: to end it: copse detach {}\n", arguments.pid);
  return 0;
}

}  // namespace

void add_attach_command(CLI::App& app, int& exit_status) {
  auto arguments = std::make_shared<AttachArguments>();
  agent::AgentOptions& options = arguments->options;
  CLI::App* command =
      app.add_subcommand("attach", "Begin to profile a running JVM: its calls from now on");
  add_process_argument(*command, arguments->pid);
  add_agent_options(*command, options, {"out"});
  add_recording_options(*command, options);
  command->get_option("--jdk")->description(
      "Refused: the JDK's classes are loaded already; use copse run --jdk");
  add_tree_options(*command, options);
  add_agent_options(*command, options, {"snapshot"});
  command->add_flag("-q,--quiet", arguments->quiet, "Print nothing when all is well");
  command->callback([arguments, &exit_status] { exit_status = attach(*arguments); });
}

}  // namespace copse::cli
