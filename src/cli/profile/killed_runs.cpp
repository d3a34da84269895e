#include "cli/profile/killed_runs.h"

#include <chrono>

#include "base/shell_word.h"
#include "recover/recovered_run.h"
#include "recover/shared_memory.h"

namespace copse::cli {
namespace {

// Writes the files of a JVM that was killed, and adds the notes that it would have written.
void recover_from(const agent::KeptRunFiles& files, std::vector<agent::Note>& notes) {
  Result<recover::RecoveredRun> run = recover::recover_run(files, std::chrono::system_clock::now());
  const Status written = run.ok() ? recover::write_recovered(*run, run->output) : run.status();
  if (!written) {
    notes.push_back(agent::TextNote{
        agent::TextNote::Kind::kFailed,
        written.message() + "; when that is set right: copse recover " + shell_path(files.memory)});
    return;
  }
  files.remove();
  notes.push_back(recover::note_of(*run, run->output));
  if (run->ids_lost.empty()) return;
  notes.push_back(
      agent::TextNote{agent::TextNote::Kind::kWarning, run->output + ": " + run->ids_lost});
}

}  // namespace

std::vector<agent::Note> recover_all_in(const agent::KeptFolder& folder) {
  std::vector<agent::Note> notes;
  if (folder.path().empty()) return notes;
  for (const agent::KeptRunFiles& files : agent::kept_runs_in(folder.path())) {
    if (recover::SharedMemoryFile::is_in_use(files.memory)) {
      notes.push_back(
          agent::TextNote{agent::TextNote::Kind::kAlive,
                          "a JVM outlives the command, and will write its report by itself"});
    } else {
      recover_from(files, notes);
    }
  }
  return notes;
}

}  // namespace copse::cli
