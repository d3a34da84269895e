// Measures besides calls of a run whose process was killed.
#pragma once

#include "base/status.h"
#include "cct/kept_measures.h"
#include "recover/recovered_tree.h"
#include "recover/shared_memory.h"

namespace copse::recover {

// Adds the columns to `out`. Contexts with an amount but no node get a node without calls.
// REQUIRES: the tree has all its contexts of calls. Throws std::bad_alloc.
Status add_measures(const SharedMemoryFile& memory, const cct::KeptMeasures& kept,
                    RecoveredTree& out);

}  // namespace copse::recover
