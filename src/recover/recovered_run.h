// Turns the files of a killed run (agent/line/kept_folder.h) into the files that it would have
// written: a report and, if ids decode, an id file.
#pragma once

#include <chrono>
#include <optional>
#include <string>

#include "agent/line/kept_folder.h"
#include "agent/line/note.h"
#include "base/status.h"
#include "base/wire/sections.h"
#include "encoders/ids/id_report.h"
#include "report/model/report_model.h"

namespace copse::recover {

struct RecoveredRun {
  report::ReportModel report;
  std::optional<wire::SectionWriter> id_file;  // std::nullopt: the run has none
  // Totals of a run with context ids, whose report is of its events; std::nullopt for other runs.
  std::optional<ids::IdTotals> events;
  std::string output;        // path at which the JVM would have written it
  std::string output_state;  // OutputPlace::state() there; "": snapshots replaced it
  std::string program;       // name of the program: program_name()
  std::optional<std::uint64_t> max_contexts;  // bound of the report (report/report_file.h)
  std::string ids_lost;                       // a sentence on ids that do not decode; "": all do
};

// Recovers the run. `ended`: time of the kill; std::nullopt if unknown, and the report then says 0
// ms. Returns an error if nothing can be read, or the JVM still runs.
using WallClock = std::chrono::system_clock;
Result<RecoveredRun> recover_run(const agent::KeptRunFiles& files,
                                 std::optional<WallClock::time_point> ended);

// Writes the report to `path`, and the id file beside it. Leaves `run.report` as it is in the file.
Status write_recovered(RecoveredRun& run, const std::string& path);
// Returns the note that the killed JVM would have written.
agent::FileNote note_of(const RecoveredRun& run, const std::string& path);

}  // namespace copse::recover
