// The tree of a run whose process was killed, from the memory it left (InlineTrees in a
// SharedMemory): every call that a probe had counted.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "base/status.h"
#include "cct/cct.h"
#include "shadowstack/shared_memory.h"
#include "shadowstack/thread_rows.h"

namespace copse {

struct RecoveredTree {
  std::unique_ptr<Cct> tree;
  std::vector<ThreadRow> threads;  // as ThreadRecorder::threads(); long names cut off
  std::uint64_t calls_seen = 0;    // in nodes and lost
  std::uint64_t calls_lost = 0;
  // Of the lost: whose callers are not in the memory, or were just being folded when the process
  // was killed.
  std::uint64_t calls_of_unknown_callers = 0;
};

// An error when the memory is not that of in-line trees, or contradicts itself. Throws
// std::bad_alloc. Cost: a look at every node, about a microsecond for those of threads.
Result<RecoveredTree> recover_inline_trees(const SharedMemoryFile& memory);

}  // namespace copse
