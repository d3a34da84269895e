// The run that a recording is of: what was asked for, what the JVM runs, which files come of it,
// and who is told. One per recording, never destroyed.
//
// Threads: constant once recording has started, but for `answer`.
#pragma once

#include <jvmti.h>

#include <cstdint>
#include <ctime>
#include <map>
#include <string>

#include "agent/jvm/jvm_state.h"
#include "agent/line/note.h"
#include "agent/options.h"
#include "base/status.h"
#include "trace/trace.h"

namespace copse::jvm {

struct Run {
  // `to_running`: Copse comes to a program that runs already.
  Run(JvmState& state, agent::AgentOptions what, bool to_running);

  // A pattern of the options as a path (output_path.h). `now`: seconds since the epoch.
  std::string expanded(const std::string& pattern, std::int64_t now) const;
  // Fills in the paths: no other JVM under the same command has them.
  void claim_paths();
  // Whether the files can be written, each as what its ending says and none as another.
  // `has_id_file`: one lies beside the report.
  Status check_files(bool has_id_file) const;
  // Checks that a report can be written at `path`, and the id file beside it, and that neither replaces
  // another file of the run.
  Status check_report(const std::string& path, bool has_id_file) const;

  // The program as files tell of it, beside `about` the recording.
  trace::ProgramInfo program_info(std::map<std::string, std::string> about) const;

  // In the manifest and in the answer. False: nobody will read it.
  bool note(const agent::Note& what) const;
  // "copse: LINE" on standard error, unless quiet.
  void say(const std::string& line) const;
  // Noted and said; quiet or not, somebody has to hear it.
  void fail(const std::string& why) const;
  // One of the run's files is written: noted and said.
  void wrote(const agent::FileNote& file) const;

  JvmState& jvm;
  jvmtiEnv* const jvmti = jvm.jvmti;
  const agent::AgentOptions options;
  const std::int64_t started = std::time(nullptr);
  const std::string program;  // what the JVM runs: program_name()
  std::string output_path;    // of the report or the trace
  std::string event_path;     // of the event file; "": none
  std::string runtime;        // runtime_name(), since recording starts
  const bool attached;        // to a program that ran already
  std::string answer;         // for the command that ends recording (line/manifest.h); "": none
};

}  // namespace copse::jvm
