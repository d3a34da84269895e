// The run of a recording: its options, the program, the files that it writes, and the recipients of messages.
// One per recording, never destroyed.
//
// Threads: constant once recording has started, except `answer`, and `output_path` when a report is written.
#pragma once

#include <jvmti.h>

#include <cstdint>
#include <ctime>
#include <map>
#include <string>

#include "agent/jvm/jvm_state.h"
#include "agent/line/note.h"
#include "agent/options.h"
#include "agent/output_path.h"
#include "base/status.h"
#include "trace/trace.h"

namespace copse::jvm {

struct Run {
  // `to_running`: Copse attaches to a program that runs already.
  Run(JvmState& state, agent::AgentOptions what, bool to_running);

  // Returns a pattern of the options as a path (output_path.h). `now`: seconds since the epoch.
  std::string expanded(const std::string& pattern, std::int64_t now) const;
  // Fills in the paths, and claims them: no other JVM under the same command uses them.
  void claim_paths();
  // Called before the report is written at `output_path`, which changes if another run has written there meanwhile.
  // REQUIRES: the options write a report; the caller holds a FolderLock.
  void settle_output_path();
  // Called when a snapshot was written at `output_path`.
  void has_snapshot() { output_.was_written(); }
  // Returns what is known of the file that was at `output_path`, for the command of a killed run.
  std::string output_state() const { return output_.state(); }
  // Checks that each file can be written in the format of its ending, and that none replaces another.
  // `has_id_file`: an id file lies beside the report.
  Status check_files(bool has_id_file) const;
  // Checks that a report can be written at `path`, and the id file beside it, and that neither replaces
  // another file of the run.
  Status check_report(const std::string& path, bool has_id_file) const;

  // Returns the program's description for files. `about`: facts on the recording.
  trace::ProgramInfo program_info(std::map<std::string, std::string> about) const;

  // Adds a note to the manifest and the answer. Returns false if neither took it.
  bool note(const agent::Note& what) const;
  // Prints "copse: LINE" on standard error, unless quiet.
  void say(const std::string& line) const;
  // Notes and prints a failure. Prints it despite quiet if the command is gone.
  void fail(const std::string& why) const;
  // Does the same for a file of the run that cannot be written, so that the command fails. `path`: as in the note.
  void fail_to_write(const std::string& path, const std::string& why) const;
  // Notes and prints that one of the run's files is written.
  void wrote(const agent::FileNote& file) const;

  JvmState& jvm;
  jvmtiEnv* const jvmti = jvm.jvmti;
  const agent::AgentOptions options;
  const std::int64_t started = std::time(nullptr);
  const std::string program;  // what the JVM runs: program_name()
  std::string output_path;    // path of the report or the trace
  std::string event_path;     // path of the event file; "" means none
  std::string runtime;        // runtime_name(), set when recording starts
  const bool attached;        // whether the program ran already
  std::string answer;  // for the command that ends recording (line/manifest.h); "" means none

 private:
  // `heard`: a command has the note.
  void print_failure(const std::string& why, bool heard) const;
  void warn(const std::string& sentence) const;
  agent::OutputPlace output_;
};

}  // namespace copse::jvm
