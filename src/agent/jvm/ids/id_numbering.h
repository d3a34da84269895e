// Numbering of context ids, as a run's options ask for it.
#pragma once

#include <memory>

#include "agent/jvm/hook/method_table.h"
#include "agent/jvm/hook/probe_selection.h"
#include "agent/options.h"
#include "base/status.h"
#include "encoders/numbering/numbering.h"

namespace copse::jvm {

// Returns the numbering of the encoder that the options name, over the graph in their file if it needs one;
// nullptr for hashes. `table` must outlive it: methods and call sites of the graph are found again by their
// names. `selection`: has read the graph, and only its methods are numbered; nullptr if none.
Result<std::unique_ptr<encoders::CodeNumbering>> make_numbering(const agent::AgentOptions& options,
                                                                const MethodTable& table,
                                                                const ProbeSelection* selection);

}  // namespace copse::jvm
