// What was measured besides calls in a run whose process was killed.
#pragma once

#include "base/status.h"
#include "cct/inplace/kept_measures.h"
#include "recover/recovered_tree.h"
#include "recover/shared_memory.h"

namespace copse::recover {

// Adds the columns, when the tree has all its contexts of calls: those of what was measured are among
// them, or get a node without calls. Throws std::bad_alloc.
Status add_measures(const SharedMemoryFile& memory, const cct::KeptMeasures& kept,
                    RecoveredTree& out);

}  // namespace copse::recover
