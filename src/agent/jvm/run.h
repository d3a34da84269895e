// The run that a recording is of: what was asked for, what the JVM runs, which files come of it,
// and who is told. One per recording, never destroyed.
//
// Threads: constant once recording has started, but for `answer`.
#pragma once

#include <jvmti.h>

#include <array>
#include <cstdint>
#include <ctime>
#include <map>
#include <string>
#include <string_view>

#include "agent/jvm/jvm_state.h"
#include "agent/options.h"
#include "base/status.h"
#include "trace/trace.h"

namespace copse {

struct Run {
  Run(JvmState& state, AgentOptions what);

  // A pattern of the options as a path (output_path.h). `now`: seconds since the epoch.
  std::string expanded(const std::string& pattern, std::int64_t now) const;
  // Fills in the paths: no other JVM under the same command has them.
  void claim_paths();
  // Whether the files can be written, each as what its ending says and none as another.
  // `has_graph_file`: one lies beside the report.
  Status check_files(bool has_graph_file) const;

  // The program as files tell of it, beside `about` the recording.
  trace::ProgramInfo program_info(std::map<std::string, std::string> about) const;

  // Adds a line to the manifest (run_report.h) and to the answer. False: nobody will read it.
  bool note(const std::string& line) const;
  // On standard error, unless quiet.
  void say(const std::string& line) const;
  // Quiet or not, somebody has to hear it.
  void fail(const std::string& why) const;
  // Notes and says that one of the run's files is written: a line_of_file(), whose first two
  // figures are said as so many `things` in so many `others`.
  struct Written {
    std::string_view kind;
    const std::string& path;
    std::array<std::uint64_t, 3> figures;
    std::string_view things;
    std::string_view others;
  };
  void wrote(const Written& file) const;

  JvmState& jvm;
  jvmtiEnv* const jvmti = jvm.jvmti;
  const AgentOptions options;
  const std::int64_t started = std::time(nullptr);
  const std::string program;  // what the JVM runs: program_name()
  std::string output_path;    // of the report or the trace
  std::string event_path;     // of the event file; "": none
  std::string runtime;        // runtime_name(), since recording starts
  bool attached = false;      // to a program that ran already
  std::string answer;         // the manifest of the command that ends recording; "": none does
};

}  // namespace copse
