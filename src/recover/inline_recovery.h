// Recovers the tree of a run whose process was killed, from the memory it left (InlineTrees in a
// SharedMemory): every call that a probe had counted.
#pragma once

#include "base/status.h"
#include "recover/recovered_tree.h"
#include "recover/shared_memory.h"

namespace copse::recover {

// Recovers the tree as recover_tree() does. REQUIRES: the memory begins with an InlineRun
// (inline_run.h).
Result<RecoveredTree> recover_inline_trees(const SharedMemoryFile& memory);

}  // namespace copse::recover
