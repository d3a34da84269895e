// Folder that keeps a run while it is under way, in case its process is killed. The command makes the folder
// and names it to the agent (`keep`).
//
//   PID.memory   threads, packets and trees (recover/shared_memory.h)
//   PID.names    a trace without calls: the program and the names behind the ids
//   manifest     in a folder that a command made: a link to its manifest (manifest.h)
//
// A run that ends removes its two files. Files that are left belong to killed runs, which src/recover recovers.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/passing_path.h"

namespace copse::agent {

// Facts that the names of a kept run have besides the recording's own options, stored as options `kept.output`
// and so on.
struct KeptRunInfo {
  std::string output;             // path of the report
  std::string program;            // what the JVM runs: program_name()
  std::string options;            // the agent's option string
  std::int64_t started_ms = 0;    // since the epoch
  std::string output_state = {};  // OutputPlace::state() of the output

  void add_to(std::map<std::string, std::string>& options_of_recording) const;
  static KeptRunInfo take_from(std::map<std::string, std::string>& options_of_recording);
  friend bool operator==(const KeptRunInfo&, const KeptRunInfo&) = default;
};

// The two files of one run. Either identifies the run.
struct KeptRunFiles {
  std::string memory;
  std::string names;

  static KeptRunFiles of_process(const std::string& folder, std::int64_t pid);
  static KeptRunFiles of(const std::string& either);
  void remove() const noexcept;
};
// Returns the kept runs in the order of their names.
std::vector<KeptRunFiles> kept_runs_in(const std::string& folder);

// The command's side: a new folder in memory that only its owner may access, with a link to the manifest. It is
// removed at the end, unless a JVM that outlives the command still has its memory there.
class KeptFolder {
 public:
  explicit KeptFolder(const std::string& manifest);

  // "" if no folder could be made. The constructor then leaves the reason in errno, and nothing is kept.
  const std::string& path() const { return path_; }

 private:
  std::string path_;
  std::optional<PassingPath> passing_;
};

void link_manifest(const std::string& folder, const std::string& manifest);
// Returns the manifest that the folder links to; "" if the folder is not one of a command.
std::string linked_manifest(const std::string& folder);

// Removes a folder with such a link when no run is left in it. Returns false if a run is left, or the folder
// has no such link.
bool remove_kept_folder(const std::string& folder);
// Removes what a killed command left besides runs: the manifest, and `folder` ("" means none). Does nothing
// while the command lives or a run is left. Called by each JVM at its end, and by `copse recover`.
void remove_abandoned(const std::string& folder, const std::string& manifest);

}  // namespace copse::agent
