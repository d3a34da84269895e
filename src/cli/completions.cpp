// Scripts that complete command lines: the commands, their options, the words that an option can have; else files.
// Behind `--` stands the command line of another program, which its own script completes.
#include <string>
#include <string_view>

#include "base/joined_text.h"
#include "base/shell_word.h"
#include "cli/command_outline.h"

namespace copse::cli {
namespace {

std::vector<std::string> names_of(const std::vector<CommandOutline>& commands) {
  std::vector<std::string> names;
  for (const CommandOutline& command : commands) {
    if (!command.name.empty()) names.push_back(command.name);
  }
  return names;
}

std::vector<std::string> flags_of(const CommandOutline& command) {
  std::vector<std::string> flags;
  for (const OptionOutline& option : command.options) {
    if (!option.is_argument()) flags.insert(flags.end(), option.names.begin(), option.names.end());
  }
  if (command.runs_a_program()) flags.push_back("--");
  return flags;
}

// zsh and fish read some characters of a quoted description by themselves.
std::string with_backslashes(std::string_view text, std::string_view before) {
  std::string out;
  for (const char c : text) {
    if (before.find(c) != std::string_view::npos) out += '\\';
    out += c;
  }
  return out;
}

// The first sentence or clause, which fits beside an option.
std::string short_description(const OptionOutline& option) {
  const std::string& text = option.description;
  return text.substr(0, std::min(text.find(';'), text.find(". ")));
}

// Patterns of option names with their words, as cases of a shell: "--by-thread) WORDS ;;".
std::string cases_of_values(const CommandOutline& command) {
  std::string cases;
  for (const OptionOutline& option : command.options) {
    const std::vector<std::string>& choices = option.choices;
    if (option.is_argument() || choices.empty()) continue;
    cases += "      '" + command.name +
             "':" + joined_text(option.names, "|'" + command.name + "':") +
             ") words=" + single_quoted(joined_text(choices, " ")) + " ;;\n";
  }
  return cases;
}

}  // namespace

std::string bash_completion(const std::vector<CommandOutline>& commands) {
  std::string flags, values;
  for (const CommandOutline& command : commands) {
    flags += "      '" + command.name +
             "') words=" + single_quoted(joined_text(flags_of(command), " ")) + " ;;\n";
    values += cases_of_values(command);
  }
  return "# Completion of copse for bash; made by: copse help --format bash\n"
         "_copse() {\n"
         "  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} command= "
         "words= at\n"
         "  COMPREPLY=()\n"
         "  for ((at = 1; at < COMP_CWORD; ++at)); do\n"
         "    if [[ ${COMP_WORDS[at]} == -- ]]; then\n"
         "      if declare -F _command_offset >/dev/null; then _command_offset $((at + 1)); fi\n"
         "      return\n"
         "    fi\n"
         "    if [[ -z $command && ${COMP_WORDS[at]} != -* ]]; then command=${COMP_WORDS[at]}; fi\n"
         "  done\n"
         "  if [[ -z $command && $word != -* || $command == help ]]; then\n"
         "    words=" +
         single_quoted(joined_text(names_of(commands), " ")) +
         "\n"
         "  fi\n"
         "  if [[ $word == -* ]]; then\n"
         "    case $command in\n" +
         flags +
         "    esac\n"
         "  else\n"
         "    case $command:$before in\n" +
         values +
         "    esac\n"
         "  fi\n"
         "  if [[ -n $words ]]; then COMPREPLY=($(compgen -W \"$words\" -- \"$word\")); fi\n"
         "}\n"
         "complete -o default -F _copse copse\n";
}

std::string zsh_completion(const std::vector<CommandOutline>& commands) {
  const auto described = [](const OptionOutline& option) {
    return "[" + with_backslashes(short_description(option), "\\[]:") + "]";
  };
  std::string names, cases;
  for (const CommandOutline& command : commands) {
    if (command.name.empty()) continue;
    names += "    " +
             single_quoted(command.name + ":" + with_backslashes(command.description, "\\:")) +
             "\n";
    cases += "    " + command.name + ")\n      _arguments -S";
    for (const OptionOutline& option : command.options) {
      if (option.is_argument()) continue;
      const std::vector<std::string>& choices = option.choices;
      const std::string value =
          option.value.empty() ? ""
          : choices.empty()    ? ":value:_files"
                            : ":value:(" + with_backslashes(joined_text(choices, " "), "\\:") + ")";
      for (const std::string& name : option.names) {
        cases += " \\\n        " + single_quoted("*" + name + described(option) + value);
      }
    }
    cases += " \\\n        ";
    cases += command.runs_a_program() ? "'*::command:_normal'"
             : command.name == "help" ? "'*:command:(" + joined_text(names_of(commands), " ") + ")'"
                                      : "'*:file:_files'";
    cases += "\n      ;;\n";
  }
  return "#compdef copse\n"
         "# Completion of copse for zsh; made by: copse help --format zsh\n"
         "local -a commands\n"
         "if (( CURRENT == 2 )); then\n"
         "  commands=(\n" +
         names +
         "  )\n"
         "  _describe command commands\n"
         "else\n"
         "  shift words\n"
         "  (( CURRENT-- ))\n"
         "  local divider=${words[(i)--]}\n"
         "  if (( divider < CURRENT )); then\n"
         "    shift $divider words\n"
         "    (( CURRENT -= divider ))\n"
         "    _normal\n"
         "    return\n"
         "  fi\n"
         "  case $words[1] in\n" +
         cases +
         "  esac\n"
         "fi\n";
}

std::string fish_completion(const std::vector<CommandOutline>& commands) {
  const auto text = [](std::string_view words) {
    return "'" + with_backslashes(words, "\\'") + "'";
  };
  std::string script = "# Completion of copse for fish; made by: copse help --format fish\n";
  for (const CommandOutline& command : commands) {
    std::string where = "__fish_use_subcommand";
    if (!command.name.empty()) {
      script += "complete -c copse -n __fish_use_subcommand -f -a " + command.name + " -d " +
                text(command.description) + "\n";
      where = text("__fish_seen_subcommand_from " + command.name);
    }
    for (const OptionOutline& option : command.options) {
      if (option.is_argument()) continue;
      script += "complete -c copse -n " + where;
      for (const std::string& name : option.names) {
        script += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
      }
      const std::vector<std::string>& choices = option.choices;
      if (!option.value.empty()) {
        script += choices.empty() ? " -r" : " -x -a " + text(joined_text(choices, " "));
      }
      script += " -d " + text(short_description(option)) + "\n";
    }
  }
  script += "complete -c copse -n '__fish_seen_subcommand_from help' -f -a " +
            text(joined_text(names_of(commands), " ")) + "\n";
  return script;
}

}  // namespace copse::cli
