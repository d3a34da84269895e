// Writes the report file of a finished run, or of a snapshot.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "agent/jvm/run.h"
#include "agent/line/note.h"
#include "base/scheme_facts.h"
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
  std::uint64_t calls_without_room = 0;  // of `calls_lost`: seen by the recorder, not in the tree
  std::uint64_t packets = 0;
  unsigned workers = 0;
  double wall_ms = 0;
  std::int64_t snapshot = 0;            // number of the snapshot; 0 if recording has ended
  std::vector<std::string> notes = {};  // besides those of the tree
  std::vector<report::ProgramTables::Measure> measures = {};
  report::ReportAbout::TimeLine timeline = {};
  std::optional<cct::LaidSlices> slices = {};
  std::string path = {};
  std::optional<EncoderFigures> encoder = {};  // that was checked
};

// Totals as in the file.
struct RunTotals {
  std::uint64_t calls = 0;
  std::uint64_t contexts = 0;  // contexts with calls
  std::uint64_t calls_lost = 0;
  std::uint64_t merged = 0;  // methods whose recursion made too many contexts
};

// Returns the run's program, options and notes, for a report without a tree.
report::ProgramTables describe_run(const Run& run, double wall_ms);

// Request for a report of the run so far.
struct SnapshotToWrite {
  std::string path;
  std::int64_t number = 1;  // from 1
  double wall_ms = 0;       // since recording began
};

// Builds the report and writes it in the format of the ending of `path`. Any thread, including one that the JVM
// does not know.
Result<RunTotals> write_run_report(RunToReport report);
// Notes and prints that the run's own report is written, or why it is not.
void tell_of_report(const Run& run, const Result<RunTotals>& written);
// Writes the report of a tree so far. `measures` and `timeline`: those of the snapshot, in the form for reports.
Result<agent::FileNote> write_tree_snapshot(const Run& run, cct::RecordingSnapshot taken,
                                            std::vector<report::ProgramTables::Measure> measures,
                                            report::ReportAbout::TimeLine timeline,
                                            const SnapshotToWrite& to_write);

}  // namespace copse::jvm
