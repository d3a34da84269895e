// How much memory a tree, or the records of queries, may take when the user names no bound.
#pragma once

#include <cstdint>

#include "agent/options.h"

namespace copse::agent {

// The bound that `options` names, else a quarter of what the machine has, or of what its control
// group may use, at least 1 GiB and at most 8 GiB. javac with the JDK's classes (7.7 million
// contexts) needs more than 1 GiB in place. Cost: reads a file or two when none is named.
std::uint64_t memory_bound(const AgentOptions& options);

}  // namespace copse::agent
