#include "cli/ids/live_validation.h"

#include <fmt/format.h>

#include <sstream>
#include <utility>

#include "agent/line/figure_notes.h"
#include "agent/option_rules.h"
#include "agent/option_table.h"
#include "base/shell_word.h"
#include "cli/messages.h"
#include "cli/profile/run_program.h"
#include "cli/program_options.h"
#include "encoders/study/figures_text.h"

namespace copse::cli {
namespace {

// Returns the command line that repeats the run, as far as the program itself is repeatable.
std::string again(const std::vector<std::string>& command, const agent::AgentOptions& options) {
  std::string text = "copse validate";
  for (const agent::OptionRow& row : agent::option_rows()) {
    if (row.words.empty() || row.key == "out" || !agent::is_given(row, options)) continue;
    for (const std::string& value : row.given(options)) {
      text += " " + agent::spelled(row.key, agent::Spelling::kCommandLine);
      if (!value.empty()) text += (value.starts_with('-') ? "=" : " ") + shell_word(value);
    }
  }
  text += " --";
  for (const std::string& word : command) text += " " + shell_word(word);
  return text;
}

}  // namespace

int validate_live(const std::vector<std::string>& command, const agent::AgentOptions& options,
                  bool quiet) {
  RunRequest request;
  request.command = command;
  request.options = options;
  request.quiet = quiet;
  if (const Status status = check_agent_options(request.options); !status) {
    return failure(status);
  }
  const Result<RunEnd> ended = run_program(std::move(request));
  if (!ended.ok() || !ended->command.not_started.empty()) return exit_status_of(ended, false);
  if (ended->command.exit_status != 0 && !quiet) {
    say(fmt::format("the command's own exit status was {}", ended->command.exit_status));
  }
  for (const EncoderFigures& jvm : agent::figures_in(ended->notes)) {
    if (quiet) break;
    std::istringstream lines(study::figures_text(jvm));
    for (std::string line; std::getline(lines, line);) say(line);
  }
  const auto& ids = std::get<agent::ValidateOptions>(options.mode);
  const agent::CheckedIds& checked = ended->checked;
  if (!agent::ids_decode(ids.encoder) && checked.ids != 0 && !quiet) {
    // Contexts are those of ids, each once, and those that share one.
    std::string text = study::chance_text(ids.encoder, checked.collisions,
                                          checked.ids + checked.collisions, sizeof(std::uint64_t));
    text.pop_back();
    say(text);
  }
  if (checked.wrong != 0 || checked.wrong_at_end != 0 || checked.stacks_wrong != 0) {
    return failure("validate: " + ids.encoder + " is wrong; again: " + again(command, options));
  }
  if (checked.lacking != 0) {
    return failure("validate: --selective: " + ids.graph +
                   ": lacks calls that lead to marked methods; give the report of a run that makes "
                   "them, or leave --selective out");
  }
  if (checked.entries == checked.without_id) {
    return failure(
        "validate: no id was compared: no JVM ran to its end, or no marked method that keeps an id "
        "was entered");
  }
  return agent::first_of<agent::UnwrittenNote>(ended->notes) == nullptr ? 0 : 1;
}

}  // namespace copse::cli
