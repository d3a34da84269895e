#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "cli/commands.h"
#include "cli/live_jvm.h"
#include "cli/messages.h"

namespace copse {
namespace {

struct DetachArguments {
  std::int64_t pid = 0;
  bool quiet = false;
};

int detach(const DetachArguments& arguments) {
  AgentOptions command;
  command.detach = true;
  const Result<std::vector<std::string>> lines =
      tell_agent(arguments.pid, AgentIs::kThereAlready, std::move(command));
  if (!lines.ok()) return failure(lines.message());
  if (arguments.quiet) return 0;
  say_what_was_written(*lines);
  const std::vector<std::string> restored = fields_of(*lines, "restored");
  if (restored.size() != 2) return failure("the agent gave an answer of another version");
  fmt::print(stderr, "copse: probes are out of {} classes{}\n", restored[0],
             restored[1] == "0" ? "" : "; " + restored[1] + " keep theirs, which do nothing");
  return 0;
}

}  // namespace

void add_detach_command(CLI::App& app, int& exit_status) {
  auto arguments = std::make_shared<DetachArguments>();
  CLI::App* command = app.add_subcommand(
      "detach", "End the recording of a JVM that goes on: its report is written, probes go");
  add_process_argument(*command, arguments->pid);
  command->add_flag("-q,--quiet", arguments->quiet, "Print nothing when all is well");
  command->callback([arguments, &exit_status] { exit_status = detach(*arguments); });
}

}  // namespace copse
