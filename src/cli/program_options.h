// Options that several commands share: those of a recording, made from their table (agent/option_table.h), and their
// checks after parsing.
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

// Accepts numbers without a sign only: the parser would take -3 for a very large number.
CLI::Validator whole_number(bool or_zero = true);

// Adds options by their keys in the table. Typed values go into `options`; its previous values are the defaults that
// the help shows. `group`: heading in the help; "" means the usual one. REQUIRES: `options` outlives the parsing.
void add_agent_options(CLI::App& command, agent::AgentOptions& options,
                       std::initializer_list<std::string_view> keys, const std::string& group = "");
// Adds --fail-if-empty, for commands that leave a recording.
CLI::Option* add_fail_if_empty(CLI::App& command, bool& fail_if_empty);
// Adds -q, for commands that start a program.
CLI::Option* add_quiet(CLI::App& command, bool& quiet);
inline constexpr const char* kFailedAsEmpty =
    "nothing was recorded, which --fail-if-empty makes a failure";

// Checks values and combinations with the agent's own parser, so that both ways agree.
Status check_agent_options(const agent::AgentOptions& options);

// Group of the options of one form of a command that accepts either a trace or a program.
inline constexpr const char* kOfTraces = "With TRACE";
inline constexpr const char* kOfPrograms = "With -- COMMAND";
// Returns an error that names the first given option of this group.
Status check_none_of(const CLI::App& command, const std::string& group);

// Returns "NAME: has no effect WHY" for the first of `options` that was named; OK if none was.
Status check_not_named(const CLI::App& command, const std::vector<std::string>& options,
                       const std::string& why);

}  // namespace copse::cli
