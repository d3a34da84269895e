// Which options go together: one that has no effect beside the others is refused, with what it
// needs.
#pragma once

#include <string>
#include <string_view>

#include "agent/options.h"
#include "base/status.h"

namespace copse::agent {

// As a person wrote them: "option packet" and "packet=8" for an agent, "--packet-slots" and
// "--packet-slots 8" on the command line.
std::string spelled(std::string_view key, Spelling spelling);

Status check_combination(const AgentOptions& options, Spelling spelling);

// The key of an option that has a meaning for packets alone; "": none is set.
std::string_view packet_option(const AgentOptions& options);

}  // namespace copse::agent
