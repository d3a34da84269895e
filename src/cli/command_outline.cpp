#include "cli/command_outline.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <utility>

#include "base/joined_text.h"

namespace copse::cli {
namespace {

std::string without_spaces_around(std::string text) {
  const std::size_t begin = text.find_first_not_of(" \n");
  if (begin == std::string::npos) return "";
  return text.substr(begin, text.find_last_not_of(" \n") - begin + 1);
}

// With all its choices, and without a default: "summary|lines|jsonl".
std::string whole_value_of(const CLI::Option& option) {
  if (option.get_type_size() == 0) return "";
  // The parser puts checks behind: "PART:{idle,jvm}", "N:INT in [1 - 62]", "text|json:{text,json}".
  const std::string all = option.get_type_name();
  std::string value = all.substr(0, all.find(':'));
  if (const std::size_t brace = all.find(":{");
      brace != std::string::npos && value.find('|') == std::string::npos) {
    value = all.substr(brace + 2, all.find('}') - brace - 2);
    std::ranges::replace(value, ',', '|');
  }
  return value;
}

std::vector<std::string> choices_in(const std::string& value) {
  const std::string words = value.substr(0, value.find_first_of(": "));
  std::vector<std::string> choices;
  if (words.find('|') == std::string::npos) return choices;
  for (std::size_t at = 0; at <= words.size();) {
    const std::size_t end = std::min(words.find('|', at), words.size());
    choices.push_back(words.substr(at, end - at));
    at = end + 1;
  }
  return choices;
}

bool has_room(const std::string& value) {
  constexpr std::size_t kMost = 60;
  return value.size() <= kMost || choices_in(value).empty();
}

OptionOutline outline(const CLI::Option& option) {
  OptionOutline made;
  for (const std::string& name : option.get_snames()) made.names.push_back('-' + name);
  for (const std::string& name : option.get_lnames()) made.names.push_back("--" + name);
  if (made.names.empty()) made.names.push_back(option.get_name(true));
  made.value = value_of(option);
  made.choices = choices_in(whole_value_of(option));
  made.description = description_of(option);
  made.repeats = option.get_expected_max() == CLI::detail::expected_max_vector_size;
  return made;
}

CommandOutline outline(const CLI::App& command, const CLI::App& app) {
  const bool is_all = &command == &app;
  CommandOutline made;
  made.name = is_all ? "" : command.get_name();
  made.group = command.get_group();
  const std::string usage = command.get_formatter()->make_help(
      &command, is_all ? "copse" : "copse " + made.name, CLI::AppFormatMode::Normal);
  constexpr std::string_view kBegin = "Usage: ";
  const std::size_t begin = usage.find(kBegin) + kBegin.size();
  made.usage = without_spaces_around(usage.substr(begin, usage.find('\n', begin) - begin));
  made.description = command.get_description();
  made.footer = without_spaces_around(command.get_footer());
  for (const CLI::Option* option : command.get_options()) {
    if (!option->get_group().empty()) made.options.push_back(outline(*option));
  }
  return made;
}

}  // namespace

std::string value_of(const CLI::Option& option) {
  std::string value = whole_value_of(option);
  if (!has_room(value)) value = option.get_type_name().substr(0, option.get_type_name().find(':'));
  if (!option.get_default_str().empty()) value += '=' + option.get_default_str();
  return value;
}

std::string description_of(const CLI::Option& option) {
  const std::string value = whole_value_of(option);
  if (has_room(value)) return option.get_description();
  return option.get_description() + "; one of " + joined_text(choices_in(value));
}

std::vector<CommandOutline> outline_of(const CLI::App& app) {
  std::vector<CommandOutline> made{outline(app, app)};
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
    made.push_back(outline(*command, app));
  }
  return made;
}

}  // namespace copse::cli
