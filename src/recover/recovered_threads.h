// The threads of a run whose process was killed, as KeptThreadRows left them.
#pragma once

#include <vector>

#include "base/status.h"
#include "recover/shared_memory.h"
#include "shadowstack/kept_thread_rows.h"
#include "shadowstack/thread_rows.h"

namespace copse::recover {

// Returns all rows in order, including unused ones; an error if some are missing though there was
// room.
Result<std::vector<shadowstack::ThreadRow>> read_kept_threads(
    const SharedMemoryFile& memory, const shadowstack::KeptThreads& threads);

// Converts the rows to those of ThreadRows::list(): rows of threads that made a call, then one for
// all without a name.
void gather_other_threads(std::vector<shadowstack::ThreadRow>& rows);
// Does the same for a run that counts no calls by thread: keeps the rows of all threads
// (encoders/ids/id_run.h).
void gather_all_threads(std::vector<shadowstack::ThreadRow>& rows);

}  // namespace copse::recover
