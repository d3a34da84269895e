// Checks for options of one mode that contradict each other.
#pragma once

#include <string>
#include <string_view>

#include "agent/options.h"
#include "base/status.h"

namespace copse::agent {

// Returns the option as a person wrote it: "option packet" for an agent, "--packet-slots" on the command line.
std::string spelled(std::string_view key, Spelling spelling);

Status check_combination(const AgentOptions& options, Spelling spelling);

}  // namespace copse::agent
