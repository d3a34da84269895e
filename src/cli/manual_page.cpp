#include <string>
#include <string_view>

#include "base/version.h"
#include "cli/command_outline.h"

namespace copse::cli {
namespace {

// Text that man(7) shows as it is.
std::string escaped(std::string_view text) {
  std::string out;
  bool begins_line = true;
  for (const char c : text) {
    if (begins_line && (c == '.' || c == '\'')) out += "\\&";
    if (c == '\\') {
      out += "\\e";
    } else if (c == '-') {
      out += "\\-";
    } else {
      out += c;
    }
    begins_line = c == '\n';
  }
  return out;
}

std::string in_font(char font, std::string_view text) {
  return std::string("\\f") + font + escaped(text) + "\\fR";
}

std::string title_of(const CommandOutline& command) {
  return command.name.empty() ? "copse" : "copse-" + command.name;
}

std::string upper(std::string text) {
  for (char& c : text) {
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  }
  return text;
}

// A synopsis: "copse run" in bold, then the rest as in the help.
std::string synopsis_of(const CommandOutline& command) {
  const std::string program = command.name.empty() ? "copse" : "copse " + command.name;
  return in_font('B', program) + escaped(std::string_view(command.usage).substr(program.size()));
}

void add_options(const CommandOutline& command, bool arguments, std::string& page) {
  bool is_first = true;
  for (const OptionOutline& option : command.options) {
    if (option.is_argument() != arguments) continue;
    if (is_first) page += arguments ? ".SH ARGUMENTS\n" : ".SH OPTIONS\n";
    is_first = false;
    page += ".TP\n";
    for (std::size_t i = 0; i < option.names.size(); ++i) {
      if (i != 0) page += ", ";
      page += in_font('B', option.names[i]);
    }
    if (!option.value.empty() && !arguments) page += ' ' + in_font('I', option.value);
    if (option.repeats) page += " ...";
    page += '\n' + escaped(option.description) + '\n';
  }
}

void add_commands(const std::vector<CommandOutline>& commands, std::string& page) {
  std::string_view group;
  page += ".SH COMMANDS\n";
  for (const CommandOutline& command : commands) {
    if (command.name.empty()) continue;
    if (command.group != group) page += ".SS " + escaped(command.group) + '\n';
    group = command.group;
    page +=
        ".TP\n" + in_font('B', title_of(command)) + "(1)\n" + escaped(command.description) + '\n';
  }
}

}  // namespace

std::string manual_page(const std::vector<CommandOutline>& commands, std::size_t at) {
  const CommandOutline& command = commands[at];
  std::string page = ".TH " + escaped(upper(title_of(command))) + " 1 \"\" \"Copse " + kVersion +
                     "\" \"User Commands\"\n";
  page += ".SH NAME\n" + escaped(title_of(command)) + " \\- " + escaped(command.description) + '\n';
  page += ".SH SYNOPSIS\n" + synopsis_of(command) + '\n';
  if (!command.footer.empty()) page += ".SH DESCRIPTION\n" + escaped(command.footer) + '\n';
  add_options(command, true, page);
  add_options(command, false, page);
  if (command.name.empty()) {
    add_commands(commands, page);
    page +=
        ".SH SEE ALSO\nThe tour, the limits and the formats of files are in the folder\n"
        ".I share/doc/copse\nof the installation.\n";
  } else {
    page += ".SH SEE ALSO\n.BR copse (1)\n";
  }
  return page;
}

}  // namespace copse::cli
