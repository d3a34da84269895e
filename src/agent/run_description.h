// What a report says about how it was made, in the same words whether an agent writes it or
// `copse replay` does from a trace.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "agent/options.h"
#include "base/program_names.h"
#include "cct/context_tree.h"

namespace copse::agent {

// Options as in force, defaults included: those that decide which calls are recorded, and those
// that decide what tree they make. A report has both, a trace the first.
std::map<std::string, std::string> recording_options(const AgentOptions& options);
std::map<std::string, std::string> tree_options(const AgentOptions& options, unsigned workers);

// The same of a run that keeps context ids; none of another.
std::map<std::string, std::string> id_options(const AgentOptions& options);
// The meaning of the counts of a run in the mode of ids, a sentence.
std::string id_note(const AgentOptions& options);

// Sentences on what the counts do not mean.
std::vector<std::string> recording_notes(const AgentOptions& options);
// `calls_lost`: for which the system had no memory. `methods`: by raw(MethodId).
std::vector<std::string> tree_notes(const AgentOptions& options, const cct::ContextTree& tree,
                                    std::uint64_t calls_lost,
                                    const std::vector<MethodName>& methods);

// Of a recording that began while the program ran, and of a report made before its end.
std::string attach_note();
std::string snapshot_note();

// ISO 8601.
std::string utc_time(std::int64_t seconds_since_epoch);

}  // namespace copse::agent
