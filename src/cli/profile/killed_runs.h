// Reports that JVMs left unwritten while a command waited for them: those of JVMs that were killed, and those that
// could not be written.
#pragma once

#include <vector>

#include "agent/line/kept_folder.h"
#include "agent/line/note.h"

namespace copse::cli {

// Writes the reports and id files of the JVMs that left their runs in the folder. Adds the notes that the JVMs would have
// written, and one for each run that goes on or could not be recovered, which says how it can be later. Takes away the
// notes of JVMs that such a report could not be written.
void recover_all_in(const agent::KeptFolder& folder, std::vector<agent::Note>& notes);

}  // namespace copse::cli
