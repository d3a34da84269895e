// The threads of a run whose process was killed, as KeptThreadRows left them.
#pragma once

#include <vector>

#include "base/status.h"
#include "recover/shared_memory.h"
#include "shadowstack/kept_thread_rows.h"
#include "shadowstack/thread_rows.h"

namespace copse {

// Every row in order, those that nobody has too. An error when they are not all there.
Result<std::vector<ThreadRow>> read_kept_threads(const SharedMemoryFile& memory,
                                                 const KeptThreads& threads);

// Makes of them what ThreadRows::list() gives: rows of threads that made a call, then one for all
// without a name.
void gather_other_threads(std::vector<ThreadRow>& rows);

}  // namespace copse
