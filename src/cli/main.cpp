// The command line: picks the subcommand and turns every failure into one line and a status.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <functional>
#include <memory>
#include <new>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/descriptor.h"
#include "base/passing_path.h"
#include "cli/command_outline.h"
#include "cli/commands.h"
#include "cli/messages.h"
#include "cli/own_signals.h"
#include "cli/parse_trouble.h"
#include "cli/standard_output.h"
#include "cli/version_text.h"

namespace copse::cli {
namespace {

// A number below 0 is no option, and needs no `--` before it.
bool is_option(std::string_view word) {
  return word.size() > 1 && word[0] == '-' &&
         word.find_first_not_of("0123456789", 1) != std::string_view::npos;
}

// Returns the words for a command that runs no program. The parser forgets `--` after an argument, so `--` is kept only
// if a word after it looks like an option.
std::vector<std::string> without_needless_divider(std::vector<std::string> words) {
  const auto divider = std::find(words.begin(), words.end(), "--");
  if (divider != words.end() && std::none_of(divider + 1, words.end(), is_option)) {
    words.erase(divider);
  }
  return words;
}

bool runs_a_program(std::string_view command) {
  return command == "run" || command == "measure" || command == "ids" || command == "record" ||
         command == "validate" || command == "compare" || command == "ptql";
}

// Its usage lines have the command line of a program, which our parser never sees. Descriptions keep to the terminal's
// width.
class HelpFormat : public CLI::Formatter {
 public:
  HelpFormat() { label("SUBCOMMAND", "COMMAND"); }

  std::string make_option_opts(const CLI::Option* option) const override {
    const std::string value = value_of(*option);
    const bool is_argument = option->get_positional();
    if (value.empty() || (is_argument && value == "TEXT")) return "";
    return " " + value + (option->get_required() && !is_argument ? " (required)" : "");
  }

  std::string make_option_desc(const CLI::Option* option) const override {
    constexpr std::size_t kLeastRoom = 30;
    const std::size_t room =
        std::max(line_width() - std::min(line_width(), get_column_width()), kLeastRoom);
    std::string text = description_of(*option);
    for (std::size_t begin = 0; text.size() - begin > room;) {
      std::size_t cut = text.rfind(' ', begin + room);
      if (cut == std::string::npos || cut <= begin) cut = text.find(' ', begin);
      if (cut == std::string::npos) break;
      text[cut] = '\n';
      begin = cut + 1;
    }
    return text;
  }

  std::string make_usage(const CLI::App* command, std::string name) const override {
    std::string usage = CLI::Formatter::make_usage(command, std::move(name));
    if (!runs_a_program(command->get_name())) return usage;
    while (usage.ends_with('\n')) usage.pop_back();
    const bool takes_a_trace = command->get_option_no_throw("trace") != nullptr ||
                               command->get_option_no_throw("words") != nullptr;
    return usage + (takes_a_trace ? " [-- COMMAND [ARG...]]\n" : " -- COMMAND [ARG...]\n");
  }
};

// The commands, group by group, in the order of copse help.
void add_commands(CLI::App& app, const std::vector<std::string>& program, int& exit_status) {
  using Add = std::function<void(CLI::App&, int&)>;
  const auto with_program = [&program](auto add) -> Add {
    return [&program, add](CLI::App& to, int& status) { add(to, program, status); };
  };
  const std::vector<std::pair<std::string, std::vector<Add>>> groups = {
      {"Profile",
       {with_program(add_run_command), with_program(add_measure_command), add_attach_command,
        add_dump_command, add_detach_command, add_recover_command}},
      {"Look and compare",
       {add_report_command, add_diff_command, add_baseline_command, add_tests_command,
        add_merge_command, add_query_command, with_program(add_ptql_command), add_events_command,
        add_join_command, add_mcp_command, add_help_command}},
      {"Fleet", {add_export_command, add_import_command}},
      {"Context ids",
       {with_program(add_ids_command), add_decode_command, add_graph_command,
        with_program(add_validate_command)}},
      {"Research",
       {with_program(add_record_command), add_replay_command, with_program(add_compare_command)}},
  };
  for (const auto& [group, commands] : groups) {
    for (const Add& add : commands) {
      add(app, exit_status);
      app.get_subcommands([](const CLI::App*) { return true; }).back()->group(group);
    }
  }
}

int parse_and_run(const std::vector<std::string>& line) {
  // For commands that run a program, the words after `--` are that program's command line and are not parsed. For the
  // others `--` ends the options.
  const auto begin = line.begin() + (line.empty() ? 0 : 1), end = line.end();
  const auto divider = begin != end && runs_a_program(*begin) ? std::find(begin, end, "--") : end;
  const std::vector<std::string> program(divider == end ? end : divider + 1, end);
  const std::vector<std::string> words = without_needless_divider({begin, divider});
  CLI::App app("Exact calling-context profiles: every context, with its number of calls.", "copse");
  app.set_version_flag("--version", version_text());
  app.formatter(std::make_shared<HelpFormat>());
  app.require_subcommand(1);
  int exit_status = 0;
  add_commands(app, program, exit_status);
  // Last: commands take over the footer that stands when they are added.
  app.footer(
      "copse help COMMAND explains one; copse run -o profile.html -- java -jar app.jar is a first "
      "profile.");
  try {
    app.parse(std::vector<std::string>(words.rbegin(), words.rend()));  // it wants the last first
    return exit_status;
  } catch (const CLI::Success& asked_for_text) {  // --help, --version
    std::ostringstream text;
    const int status = app.exit(asked_for_text, text, text);
    return std::max(status, print_text(text.str()));
  } catch (const CLI::ParseError& error) {
    return usage_error(explain(app, error, words));
  }
}

}  // namespace

int run_command_line(const std::vector<std::string>& line) {
  try {
    return parse_and_run(line);
  } catch (const std::bad_alloc&) {
    return failure("out of memory: close other programs or use a machine with more");
  } catch (const std::exception& unexpected) {
    return failure(unexpected.what());
  }
}

}  // namespace copse::cli

int main(int argc, char** argv) {
  copse::take_closed_standard_descriptors();
  copse::remove_passing_paths_by_signals();
  copse::cli::take_own_signals();
  return copse::cli::run_command_line({argv, argv + argc});
}
