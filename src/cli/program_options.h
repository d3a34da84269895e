// Options that several commands share: those of a recording, made from their table
// (agent/option_table.h), and what is checked of them after parsing.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "agent/options.h"
#include "base/status.h"
#include "cli/parser.h"

namespace copse::cli {

// PID|NAME, the argument of attach, dump and detach (profile/running_jvms.h).
CLI::Option* add_jvm_argument(CLI::App& command, std::string& jvm);

// Of a number without a sign: the parser takes -3 for a very large one.
CLI::Validator whole_number();

// Adds options by their keys in the table. What is typed goes into `options`, which must outlive
// the parsing; what stands there before is the default that the help shows.
// `group`: under which heading the help has them; "" means the usual one.
void add_agent_options(CLI::App& command, agent::AgentOptions& options,
                       std::initializer_list<std::string_view> keys, const std::string& group = "");
// --fail-if-empty, of commands that leave a recording.
CLI::Option* add_fail_if_empty(CLI::App& command, bool& fail_if_empty);
// -q, of commands that start a program.
void add_quiet(CLI::App& command, bool& quiet);
inline constexpr const char* kFailedAsEmpty =
    "nothing was recorded, which --fail-if-empty makes a failure";

// The agent's own parser has the last word on values, and on which go together, so that both ways
// in agree.
Status check_agent_options(const agent::AgentOptions& options);

// Options of a command that has two forms, with a trace and with a program: those of one form are in a group of their own.
inline constexpr const char* kOfTraces = "With TRACE";
inline constexpr const char* kOfPrograms = "With -- COMMAND";
// Returns an error that names the first given option of this group.
Status check_none_of(const CLI::App& command, const std::string& group);

// Of options that were named the first one that `why` keeps from having an effect: "NAME: has no
// effect WHY". Ok when none was.
Status check_not_named(const CLI::App& command, const std::vector<std::string>& options,
                       const std::string& why);

}  // namespace copse::cli
