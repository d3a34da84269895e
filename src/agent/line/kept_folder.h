// Where a run is kept while it is under way, for the case that its process is killed: a folder that
// the command makes and the agent is told (`keep`).
//
//   PID.memory   threads, packets and trees (recover/shared_memory.h)
//   PID.names    a trace without calls: the program and the names behind the ids
//   manifest     in a folder that a command made: a link to its manifest (manifest.h)
//
// A run that comes to its end removes its two files; what is found there afterwards is to be
// recovered (src/recover).
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/passing_path.h"

namespace copse::agent {

// What the names of a kept run say besides the recording's own options: as options, `kept.output`
// and so on.
struct KeptRunInfo {
  std::string output;           // where the report goes
  std::string program;          // what the JVM runs: program_name()
  std::string options;          // the agent's option string
  std::int64_t started_ms = 0;  // since the epoch

  void add_to(std::map<std::string, std::string>& options_of_recording) const;
  static KeptRunInfo take_from(std::map<std::string, std::string>& options_of_recording);
  friend bool operator==(const KeptRunInfo&, const KeptRunInfo&) = default;
};

// The two files of one run; either stands for it.
struct KeptRunFiles {
  std::string memory;
  std::string names;

  static KeptRunFiles of_process(const std::string& folder, std::int64_t pid);
  static KeptRunFiles of(const std::string& either);
  void remove() const noexcept;
};
// In the order of their names.
std::vector<KeptRunFiles> kept_runs_in(const std::string& folder);

// The command's side: a folder of its own in memory, its owner's alone, with a link to the
// manifest. Removed at the end, unless a JVM that outlives the command still has its memory there.
class KeptFolder {
 public:
  explicit KeptFolder(const std::string& manifest);

  // "" means that none could be made: errno of the constructor says why, and nothing is kept.
  const std::string& path() const { return path_; }

 private:
  std::string path_;
  std::optional<PassingPath> passing_;
};

void link_manifest(const std::string& folder, const std::string& manifest);
// "": none, the folder is somebody's own.
std::string linked_manifest(const std::string& folder);

// Removes a folder with such a link when no run is left in it. False: one is, or it is no such
// folder.
bool remove_kept_folder(const std::string& folder);
// What a command that was killed has left besides runs: the manifest, and `folder`, "" for none.
// Nothing while the command lives, or a run is left. Called by: each JVM at its end, `copse
// recover`.
void remove_abandoned(const std::string& folder, const std::string& manifest);

}  // namespace copse::agent
