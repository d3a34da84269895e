// The tree of a run whose process was killed, from the memory it left (InlineTrees in a
// SharedMemory): every call that a probe had counted.
#pragma once

#include "base/status.h"
#include "recover/recovered_tree.h"
#include "recover/shared_memory.h"

namespace copse::recover {

// Of memory that begins with an InlineRun (inline_run.h); else as recover_tree().
Result<RecoveredTree> recover_inline_trees(const SharedMemoryFile& memory);

}  // namespace copse::recover
