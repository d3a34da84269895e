// From a finished run, or a snapshot of one, to the report file.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "agent/jvm/run.h"
#include "agent/line/note.h"
#include "base/status.h"
#include "cct/context_tree.h"
#include "cct/inplace/recording_snapshot.h"
#include "report/model/program_tables.h"
#include "shadowstack/packets/thread_recorder.h"

namespace copse::jvm {

struct RunToReport {
  const Run& run;
  const cct::ContextTree& tree;
  std::vector<shadowstack::ThreadRow> threads = {};
  std::uint64_t calls_seen = 0;
  std::uint64_t calls_lost = 0;
  std::uint64_t calls_without_room = 0;  // of these, that the recorder saw and the tree lacks
  std::uint64_t packets = 0;
  unsigned workers = 0;
  double wall_ms = 0;
  std::int64_t snapshot = 0;            // its number, 0: recording has ended
  std::vector<std::string> notes = {};  // beside those of the tree
  std::vector<report::ProgramTables::Measure> measures = {};
  std::string path = {};
};

// As they are in the file.
struct RunTotals {
  std::uint64_t calls = 0;
  std::uint64_t contexts = 0;  // with calls
  std::uint64_t calls_lost = 0;
};

// The run's program, options and notes, for a report that is not of a tree.
report::ProgramTables describe_run(const Run& run, double wall_ms);

// A report of the run so far.
struct SnapshotToWrite {
  std::string path;
  std::int64_t number = 1;  // from 1
  double wall_ms = 0;       // since recording began
};

// Builds the report and writes it as the ending of `path` says. Any thread, also one that the JVM
// does not know.
Result<RunTotals> write_run_report(const RunToReport& report);
// Notes and says that the run's own one is written, or why it is not.
void tell_of_report(const Run& run, const Result<RunTotals>& written);
// Writes the report of a tree so far. `measures`: of the snapshot, as reports have them.
Result<agent::FileNote> write_tree_snapshot(const Run& run, cct::RecordingSnapshot taken,
                                            std::vector<report::ProgramTables::Measure> measures,
                                            const SnapshotToWrite& to_write);

}  // namespace copse::jvm
