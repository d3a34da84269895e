#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "cli/commands.h"
#include "cli/live_jvm.h"
#include "cli/manifest_words.h"
#include "cli/messages.h"
#include "cli/program_options.h"

namespace copse {
namespace {

struct DetachArguments {
  std::int64_t pid = 0;
  bool fail_if_empty = false;
  bool quiet = false;
};

int say_what_was_done(const std::vector<std::string>& lines) {
  say_what_was_written(lines);
  const std::vector<std::string> restored = fields_of(lines, "restored");
  if (restored.size() != 2) return failure("the agent gave an answer of another version");
  fmt::print(stderr, "copse: probes are out of {} {}{}\n", restored[0],
             restored[0] == "1" ? "class" : "classes",
             restored[1] == "0" ? "" : "; " + restored[1] + " keep theirs, which do nothing");
  return 0;
}

int detach(const DetachArguments& arguments) {
  AgentOptions command;
  command.detach = true;
  const Result<std::vector<std::string>> lines =
      tell_agent(arguments.pid, AgentIs::kThereAlready, std::move(command));
  if (!lines.ok()) return failure(lines.message());
  const int said = arguments.quiet ? 0 : say_what_was_done(*lines);
  if (said != 0 || !arguments.fail_if_empty || !tell_of_nothing(*lines)) return said;
  return failure(kFailedAsEmpty);
}

}  // namespace

void add_detach_command(CLI::App& app, int& exit_status) {
  auto arguments = std::make_shared<DetachArguments>();
  CLI::App* command = app.add_subcommand(
      "detach", "End the recording of a JVM and write its report; the JVM goes on");
  add_process_argument(*command, arguments->pid);
  add_fail_if_empty(*command, arguments->fail_if_empty);
  command->add_flag("-q,--quiet", arguments->quiet, "Print nothing when all is well");
  command->callback([arguments, &exit_status] { exit_status = detach(*arguments); });
}

}  // namespace copse
