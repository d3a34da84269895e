// Memory bound of a tree, or of the records of queries, when the user names none.
#pragma once

#include <cstdint>

#include "agent/options.h"

namespace copse::agent {

// Returns the bound that `options` names, else a quarter of the memory that the machine has or its control
// group may use, at least 1 GiB and at most 8 GiB. javac with the JDK's classes (7.7 million contexts) needs
// more than 1 GiB in place. Cost: reads one or two files if no bound is named.
std::uint64_t memory_bound(const AgentOptions& options);

}  // namespace copse::agent
