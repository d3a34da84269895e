#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "cli/commands.h"
#include "cli/messages.h"
#include "cli/profile/live_jvm.h"
#include "cli/profile/manifest_words.h"
#include "cli/program_options.h"

namespace copse::cli {
namespace {

struct DetachArguments {
  std::int64_t pid = 0;
  bool fail_if_empty = false;
  bool quiet = false;
};

int say_what_was_done(const std::vector<agent::Note>& notes) {
  say_what_was_written(notes);
  const auto* restored = agent::first_of<agent::RestoredNote>(notes);
  if (restored == nullptr) return failure("the agent gave an answer of another version");
  fmt::print(stderr, "copse: probes are out of {} {}{}\n", restored->classes,
             restored->classes == 1 ? "class" : "classes",
             restored->refused == 0
                 ? ""
                 : fmt::format("; {} keep theirs, which do nothing", restored->refused));
  return 0;
}

int detach(const DetachArguments& arguments) {
  agent::AgentOptions command;
  command.detach = true;
  const Result<std::vector<agent::Note>> notes =
      tell_agent(arguments.pid, AgentIs::kThereAlready, std::move(command));
  if (!notes.ok()) return failure(notes.message());
  const int said = arguments.quiet ? 0 : say_what_was_done(*notes);
  if (said != 0 || !arguments.fail_if_empty || !tell_of_nothing(*notes)) return said;
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

}  // namespace copse::cli
