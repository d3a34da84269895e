// Runs whose JVM was killed, from what it left (agent/kept_run.h): their reports.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "agent/options.h"
#include "base/status.h"
#include "report/report_model.h"

namespace copse {

struct RecoveredRun {
  ReportModel report;
  std::string output;   // where the JVM would have written it
  std::string program;  // what the JVM ran: program_name()
};

// `memory_path` ends in ".memory", the names are beside it. `ended`: when the JVM was killed, where
// that is known; else the report says 0 ms. An error: nothing can be read, or the JVM still runs.
using WallClock = std::chrono::system_clock;
Result<RecoveredRun> recover_run(const std::string& memory_path,
                                 std::optional<WallClock::time_point> ended);

// The kept runs in a folder, in the order of their names.
std::vector<std::string> kept_runs_in(const std::string& folder);

// The other file of the run.
std::string names_path(const std::string& memory_path);

void remove_kept_run(const std::string& memory_path);

// A folder of one's own in memory for the JVMs of one command, with a link to the command's
// manifest; the owner's alone. Removed at the end, unless a JVM that outlives the command still has
// its memory there.
class KeptFolder {
 public:
  explicit KeptFolder(const std::string& manifest);
  ~KeptFolder();
  KeptFolder(const KeptFolder&) = delete;
  KeptFolder& operator=(const KeptFolder&) = delete;

  // "": there is none, and nothing is kept.
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

}  // namespace copse
