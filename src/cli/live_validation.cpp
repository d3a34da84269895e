#include "cli/live_validation.h"

#include <fmt/format.h>

#include <string_view>
#include <utility>

#include "base/shell_word.h"
#include "cli/messages.h"
#include "cli/program_options.h"
#include "cli/run_program.h"

namespace copse {
namespace {

// What to type to see the same again, as far as the program does the same again.
std::string again(const std::vector<std::string>& command, const AgentOptions& options) {
  const AgentOptions defaults;
  std::string text = "copse validate";
  const auto add = [&](std::string_view option, const std::string& value) {
    const char* const between = value.starts_with('-') ? "=" : " ";
    text += " " + std::string(option) + between + shell_word(value);
  };
  add("--encoder", options.encoder);
  if (!options.graph.empty()) add("--graph", options.graph);
  if (options.jdk) text += " --jdk";
  for (const std::string& glob : options.include) add("--include", glob);
  for (const std::string& glob : options.exclude) add("--exclude", glob);
  for (const std::string& glob : options.marks) add("--mark", glob);
  add("--token-every", std::to_string(options.token_every));
  if (is_set(options, "stack-every")) add("--stack-every", std::to_string(options.stack_every));
  if (options.packet_slots != defaults.packet_slots) {
    add("--packet-slots", std::to_string(options.packet_slots));
  }
  text += " --";
  for (const std::string& word : command) text += " " + shell_word(word);
  return text;
}

}  // namespace

int validate_live(const std::vector<std::string>& command, const AgentOptions& options) {
  RunRequest request;
  request.command = command;
  request.options = options;
  if (const Status status = check_agent_options(request.options); !status) {
    return usage_error(status.message());
  }
  const Result<RunEnd> ended = run_program(std::move(request));
  if (!ended.ok() || !ended->command.not_started.empty()) return exit_status_of(ended, false);
  if (ended->command.exit_status != 0) {
    fmt::print(stderr, "copse: the command's own exit status was {}\n", ended->command.exit_status);
  }
  const CheckedIds& checked = ended->checked;
  if (checked.wrong != 0 || checked.wrong_at_end != 0 || checked.stacks_wrong != 0) {
    return failure("validate: " + options.encoder + " is wrong; again: " + again(command, options));
  }
  if (checked.tokens == checked.without_id) {
    return failure(
        "validate: no id was compared: no JVM ran to its end, or no marked method that keeps an id "
        "was entered");
  }
  return 0;
}

}  // namespace copse
