#include "cli/profile/killed_runs.h"

#include <chrono>
#include <string>
#include <utility>
#include <variant>

#include "agent/output_path.h"
#include "base/replaced_file.h"
#include "recover/recovered_run.h"
#include "recover/shared_memory.h"

namespace copse::cli {
namespace {

// Removes the note of a JVM that this report could not be written. Returns false if there is none: the JVM was killed.
bool take_unwritten(std::vector<agent::Note>& notes, const std::string& report) {
  return std::erase_if(notes, [&](const agent::Note& note) {
           const auto* unwritten = std::get_if<agent::UnwrittenNote>(&note);
           return unwritten != nullptr && unwritten->path == report;
         }) != 0;
}

// Writes the files, under another name if another run has written there meanwhile.
Status write(recover::RecoveredRun& run, std::vector<agent::Note>& notes) {
  const FolderLock lock(run.output);
  if (!run.output_state.empty()) {
    agent::OutputPlace place(run.output, run.report.program.pid, run.output_state);
    if (std::string sentence = place.settle(); !sentence.empty()) {
      notes.push_back(agent::TextNote{agent::TextNote::Kind::kWarning, std::move(sentence)});
    }
    run.output = place.path();
  }
  return recover::write_recovered(run, run.output);
}

// Writes the files of a JVM that left them unwritten, and adds the notes that it would have written.
void recover_from(const agent::KeptRunFiles& files, std::vector<agent::Note>& notes) {
  Result<recover::RecoveredRun> run = recover::recover_run(files, std::chrono::system_clock::now());
  const bool was_killed = !run.ok() || !take_unwritten(notes, run->output);
  const Status written = run.ok() ? write(*run, notes) : run.status();
  if (!written) {
    notes.push_back(agent::UnwrittenNote{run.ok() ? run->output : files.memory, written.message(),
                                         files.memory});
    return;
  }
  files.remove();
  agent::FileNote note = recover::note_of(*run, run->output);
  if (!was_killed)
    note.kind = run->events ? agent::FileNote::Kind::kIds : agent::FileNote::Kind::kReport;
  notes.push_back(std::move(note));
  if (run->ids_lost.empty()) return;
  notes.push_back(
      agent::TextNote{agent::TextNote::Kind::kWarning, run->output + ": " + run->ids_lost});
}

}  // namespace

void recover_all_in(const agent::KeptFolder& folder, std::vector<agent::Note>& notes) {
  if (folder.path().empty()) return;
  for (const agent::KeptRunFiles& files : agent::kept_runs_in(folder.path())) {
    if (recover::SharedMemoryFile::is_in_use(files.memory)) {
      notes.push_back(
          agent::TextNote{agent::TextNote::Kind::kAlive,
                          "a JVM outlives the command, and will write its report by itself"});
    } else {
      recover_from(files, notes);
    }
  }
}

}  // namespace copse::cli
