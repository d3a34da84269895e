#include "cli/program_options.h"

#include <CLI/CLI.hpp>
#include <charconv>

#include "agent/option_rules.h"
#include "agent/option_table.h"

namespace copse::cli {
namespace {

void take(agent::AgentOptions& options, const agent::OptionRow& row, const std::string& value) {
  options.named.emplace(row.key);
  if (const Status status = row.take(options, value); !status) {
    throw CLI::ValidationError(
        agent::spelled(row.key, agent::Spelling::kCommandLine) + status.message(),
        CLI::ExitCodes::ValidationError);
  }
}

CLI::Option* add_agent_option(CLI::App& command, agent::AgentOptions& options,
                              const agent::OptionRow& row) {
  const std::string words(row.words);
  const std::string help = agent::help_of(row, options);
  if (row.form == agent::OptionRow::Form::kFlag) {
    return command
        .add_flag_function(
            words, [&options, &row](std::int64_t) { take(options, row, ""); }, help)
        ->disable_flag_override();
  }
  CLI::Option* option = command.add_option(
      words,
      [&options, &row](const CLI::results_t& values) {
        for (const std::string& value : values) take(options, row, value);
        return true;
      },
      help);
  option->type_name(std::string(row.shape))->expected(1);
  if (row.form == agent::OptionRow::Form::kValues) {
    option->allow_extra_args(false)->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  } else if (const agent::OptionRow::Values by_default = row.given(options); !by_default.empty()) {
    option->default_str(by_default.front());
  }
  return option;
}

// A process id, or a name, which begins with no digit.
CLI::Validator jvm_name() {
  return CLI::Validator(
      [](const std::string& text) {
        if (!text.empty() && (text[0] < '0' || text[0] > '9') && text[0] != '-')
          return std::string();
        pid_t pid = 0;
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), pid);
        const bool is_one = error == std::errc{} && end == text.data() + text.size() && pid > 0;
        return is_one ? std::string()
                      : text + " is no process id; copse attach lists those of JVMs";
      },
      "");
}

}  // namespace

CLI::Option* add_jvm_argument(CLI::App& command, std::string& jvm) {
  return command
      .add_option(
          "JVM", jvm,
          "Process id of the JVM, or its main class or jar, or a part of that name which no other "
          "JVM has")
      ->type_name("PID|NAME")
      ->check(jvm_name());
}

CLI::Validator whole_number(bool or_zero) {
  return CLI::Validator(
      [or_zero](const std::string& text) {
        const bool is_one =
            text.find_first_not_of("0123456789") == std::string::npos &&
            (or_zero ? !text.empty() : text.find_first_not_of('0') != std::string::npos);
        return is_one ? std::string()
                      : text + " is not a whole number, " + (or_zero ? "0" : "1") + " or more";
      },
      "");
}

void add_agent_options(CLI::App& command, agent::AgentOptions& options,
                       std::initializer_list<std::string_view> keys, const std::string& group) {
  for (const std::string_view key : keys) {
    CLI::Option* const option = add_agent_option(command, options, *agent::option_row(key));
    if (!group.empty()) option->group(group);
  }
}

CLI::Option* add_fail_if_empty(CLI::App& command, bool& fail_if_empty) {
  return command.add_flag("--fail-if-empty", fail_if_empty,
                          "Exit with status 1 when no call and no event was recorded");
}

CLI::Option* add_quiet(CLI::App& command, bool& quiet) {
  return command.add_flag("-q,--quiet", quiet, "Print nothing of Copse's own but errors");
}

Status check_agent_options(const agent::AgentOptions& options) {
  const Result<agent::AgentOptions> parsed = agent::parse_agent_options(
      agent::format_agent_options(options), agent::Spelling::kCommandLine);
  return parsed.ok() ? Status() : parsed.status();
}

Status check_none_of(const CLI::App& command, const std::string& group) {
  for (const CLI::Option* option : command.get_options()) {
    if (option->get_group() != group || option->count() == 0) continue;
    return Status::error(Fault::kUsage,
                         option->get_name() + ": is for copse " + command.get_name() + " " +
                             (group == kOfTraces ? "TRACE" : "-- COMMAND") + " alone");
  }
  return {};
}

Status check_not_named(const CLI::App& command, const std::vector<std::string>& options,
                       const std::string& why) {
  for (const std::string& name : options) {
    const CLI::Option* option = command.get_option_no_throw(name);
    if (option == nullptr || option->count() == 0) continue;
    return Status::error(Fault::kUsage, name + ": has no effect " + why);
  }
  return {};
}

}  // namespace copse::cli
