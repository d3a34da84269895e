// The threads of a run whose process was killed, as KeptThreadRows left them.
#pragma once

#include <vector>

#include "base/status.h"
#include "recover/shared_memory.h"
#include "shadowstack/kept_thread_rows.h"
#include "shadowstack/thread_rows.h"

namespace copse::recover {

// Every row in order, those that nobody has too. An error when they are not all there.
Result<std::vector<shadowstack::ThreadRow>> read_kept_threads(
    const SharedMemoryFile& memory, const shadowstack::KeptThreads& threads);

// Makes of them what ThreadRows::list() gives: rows of threads that made a call, then one for all
// without a name.
void gather_other_threads(std::vector<shadowstack::ThreadRow>& rows);
// Does the same for a run that counts no calls by thread: rows of all threads (encoders/ids/id_run.h).
void gather_all_threads(std::vector<shadowstack::ThreadRow>& rows);

}  // namespace copse::recover
