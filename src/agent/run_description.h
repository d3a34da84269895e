// Description of a run in its report, in the same words from an agent and from `copse replay` of a trace.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "agent/options.h"
#include "base/program_names.h"
#include "cct/context_tree.h"

namespace copse::agent {

// Return the options in force, defaults included: those that decide which calls are recorded, and those that
// decide the shape of the tree. A report has both, a trace only the first.
std::map<std::string, std::string> recording_options(const AgentOptions& options);
std::map<std::string, std::string> tree_options(const AgentOptions& options, unsigned workers);

// Returns the options in force of a run that keeps context ids; empty for other modes.
std::map<std::string, std::string> id_options(const AgentOptions& options);
// Returns a sentence on the meaning of the counts in the mode of ids.
std::string id_note(const AgentOptions& options);

// Returns sentences on what the counts do not mean.
std::vector<std::string> recording_notes(const AgentOptions& options);
// Returns whether the launcher of `java FILE.java`, whose compiler runs in the same JVM, was recorded.
bool has_source_launcher(const std::vector<MethodName>& methods);
std::string source_launcher_note();
// Returns notes on a tree. `calls_lost`: calls for which the system had no memory. `methods`: by raw(MethodId).
std::vector<std::string> tree_notes(const AgentOptions& options, const cct::ContextTree& tree,
                                    std::uint64_t calls_lost,
                                    const std::vector<MethodName>& methods);

// Return the notes for a recording that began while the program ran, and for a report made before its end.
std::string attach_note();
std::string snapshot_note();

// Returns the time in ISO 8601.
std::string utc_time(std::int64_t seconds_since_epoch);

}  // namespace copse::agent
