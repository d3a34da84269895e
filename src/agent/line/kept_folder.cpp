#include "agent/line/kept_folder.h"

#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <filesystem>
#include <utility>

#include "agent/line/manifest.h"

namespace copse::agent {
namespace {

namespace fs = std::filesystem;

// Files in memory: a kept run is written to as fast as memory is.
constexpr const char* kMemoryFiles = "/dev/shm";
constexpr const char* kLinkName = "manifest";
constexpr const char* kMemory = ".memory";
constexpr const char* kNames = ".names";

constexpr const char* kOutput = "kept.output";
constexpr const char* kProgram = "kept.program";
constexpr const char* kOptions = "kept.options";
constexpr const char* kStart = "kept.start";
constexpr const char* kOutputState = "kept.output-state";

std::string link_in(const std::string& folder) { return folder + "/" + kLinkName; }

std::string taken(std::map<std::string, std::string>& from, const char* key) {
  auto found = from.extract(key);
  return found.empty() ? "" : std::move(found.mapped());
}

}  // namespace

void KeptRunInfo::add_to(std::map<std::string, std::string>& options_of_recording) const {
  options_of_recording[kOutput] = output;
  options_of_recording[kProgram] = program;
  options_of_recording[kOptions] = options;
  options_of_recording[kStart] = std::to_string(started_ms);
  options_of_recording[kOutputState] = output_state;
}

KeptRunInfo KeptRunInfo::take_from(std::map<std::string, std::string>& options_of_recording) {
  KeptRunInfo info{taken(options_of_recording, kOutput), taken(options_of_recording, kProgram),
                   taken(options_of_recording, kOptions)};
  const std::string start = taken(options_of_recording, kStart);
  std::from_chars(start.data(), start.data() + start.size(), info.started_ms);
  info.output_state = taken(options_of_recording, kOutputState);
  return info;
}

KeptRunFiles KeptRunFiles::of_process(const std::string& folder, std::int64_t pid) {
  return of(folder + "/" + std::to_string(pid) + kMemory);
}

KeptRunFiles KeptRunFiles::of(const std::string& either) {
  if (either.ends_with(kNames)) {
    return {fs::path(either).replace_extension(kMemory).string(), either};
  }
  return {either, fs::path(either).replace_extension(kNames).string()};
}

void KeptRunFiles::remove() const noexcept {
  unlink(memory.c_str());
  unlink(names.c_str());
}

std::vector<KeptRunFiles> kept_runs_in(const std::string& folder) {
  std::vector<KeptRunFiles> runs;
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, error)) {
    if (entry.path().extension() == kMemory) runs.push_back(KeptRunFiles::of(entry.path()));
  }
  std::ranges::sort(runs, {}, &KeptRunFiles::memory);
  return runs;
}

KeptFolder::KeptFolder(const std::string& manifest) {
  const SignalsHeldBack held;
  std::string path = std::string(kMemoryFiles) + "/copse-XXXXXX";
  if (mkdtemp(path.data()) == nullptr) return;
  path_ = path;
  passing_.emplace(path, PassingPath::Kind::kLinkFolder);
  link_manifest(path_, manifest);
}

void link_manifest(const std::string& folder, const std::string& manifest) {
  // Where it cannot be made, the folder is left to whoever finds it.
  [[maybe_unused]] const int made = symlink(manifest.c_str(), link_in(folder).c_str());
}

std::string linked_manifest(const std::string& folder) {
  std::error_code error;
  return fs::read_symlink(link_in(folder), error).string();
}

bool remove_kept_folder(const std::string& folder) {
  std::error_code error;
  if (linked_manifest(folder).empty()) return false;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end;
       entry.increment(error)) {
    if (entry->path().filename() != kLinkName) return false;
  }
  if (error) return false;
  unlink(link_in(folder).c_str());
  return rmdir(folder.c_str()) == 0;
}

void remove_abandoned(const std::string& folder, const std::string& manifest) {
  if (manifest.empty() || !is_abandoned(manifest)) return;
  if (!folder.empty() && !remove_kept_folder(folder) && access(folder.c_str(), F_OK) == 0) return;
  unlink(manifest.c_str());
}

}  // namespace copse::agent
