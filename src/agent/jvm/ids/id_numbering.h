// The numbering of context ids that a run's options ask for.
#pragma once

#include <memory>

#include "agent/jvm/hook/method_table.h"
#include "agent/jvm/hook/probe_selection.h"
#include "agent/options.h"
#include "base/status.h"
#include "encoders/numbering/numbering.h"

namespace copse::jvm {

// The numbering of the encoder that the options name, over the graph in their file where it needs
// one; null for hashes. `table` outlives it: methods and call sites of the graph are found again by
// their names. `selection`: has read the graph, of which its methods alone are numbered; null: none.
Result<std::unique_ptr<encoders::CodeNumbering>> make_numbering(const agent::AgentOptions& options,
                                                                const MethodTable& table,
                                                                const ProbeSelection* selection);

}  // namespace copse::jvm
