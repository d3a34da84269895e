// Reports of JVMs that were killed while a command waited for them.
#pragma once

#include <vector>

#include "agent/line/kept_folder.h"
#include "agent/line/note.h"

namespace copse::cli {

// Writes the reports and id files of the killed JVMs that kept their runs in the folder. Returns the notes that the
// JVMs would have written, and one for each run that could not be recovered or goes on.
std::vector<agent::Note> recover_all_in(const agent::KeptFolder& folder);

}  // namespace copse::cli
