// From a finished run to the report file.
#pragma once

#include <jvmti.h>

#include <cstdint>
#include <string>

#include "agent/jvm/method_table.h"
#include "agent/options.h"
#include "base/status.h"
#include "cct/context_tree.h"
#include "report/program_tables.h"
#include "shadowstack/thread_recorder.h"

namespace copse {

struct FinishedRun {
  jvmtiEnv* jvmti;
  const AgentOptions& options;
  const MethodTable& methods;
  const ThreadRecorder& recorder;  // closed
  const ContextTree& tree;
  std::uint64_t calls_without_room;  // that the recorder saw and the tree lacks
  unsigned workers;
  std::int64_t started;  // seconds since the epoch
  double wall_ms;
  std::string path;
};

struct RunTotals {
  std::uint64_t calls = 0;
  std::uint64_t contexts = 0;
  std::uint64_t calls_lost = 0;
};

// The run's program, options and notes, for a report that is not of a tree.
ProgramTables describe_run(jvmtiEnv* jvmti, const AgentOptions& options, std::int64_t started,
                           double wall_ms);

// Builds the report and writes it.
Result<RunTotals> write_run_report(const FinishedRun& run);

// Adds a line to the manifest, if there is one: "report PATH CALLS CONTEXTS LOST", "ids PATH
// EVENTS CONTEXTS LOST", "checked PATH CHECKED WRONG" or "failed WHY", separated by tabs.
void note_in_manifest(const AgentOptions& options, const std::string& line);

}  // namespace copse
