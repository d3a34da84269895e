#include "agent/output_path.h"

#include <sys/stat.h>

#include <ctime>
#include <filesystem>
#include <sstream>
#include <utility>

#include "agent/line/manifest.h"
#include "base/replaced_file.h"
#include "base/stream_lock.h"

namespace copse::agent {
namespace {

// Unless it is in the file's name already.
std::string with_process_id(const std::string& path, std::int64_t pid) {
  std::filesystem::path own = path;
  const std::string number = std::to_string(pid);
  if (own.filename().string().find(number) != std::string::npos) return path;
  const std::string extension = own.extension().string();
  own.replace_extension();
  return own.string() + "-" + number + extension;
}

}  // namespace

std::string expand_output_path(std::string_view pattern, const OutputWords& words) {
  const std::time_t seconds = static_cast<std::time_t>(words.started);
  std::tm utc{};
  gmtime_r(&seconds, &utc);
  char stamp[32];
  const std::size_t stamp_length = std::strftime(stamp, sizeof stamp, "%Y%m%d-%H%M%S", &utc);
  std::string path;
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    const char next = pattern[i] == '%' && i + 1 < pattern.size() ? pattern[i + 1] : '\0';
    if (next == 'c') {
      path += words.program;
    } else if (next == 'p') {
      path += std::to_string(words.pid);
    } else if (next == 't') {
      path.append(stamp, stamp_length);
    } else if (next == '%') {
      path += '%';
    } else {
      path += pattern[i];
      continue;
    }
    ++i;
  }
  return path;
}

std::string absolute_pattern(const std::string& pattern) {
  if (pattern.starts_with('/')) return pattern;
  std::string folder;
  for (const char letter : std::filesystem::current_path().string()) {
    folder += letter;
    if (letter == '%') folder += letter;
  }
  return folder + "/" + pattern;
}

std::string path_of_pattern(std::string_view pattern) {
  std::string path;
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    path += pattern[i];
    if (pattern.substr(i, 2) == "%%") ++i;
  }
  return path;
}

Status check_writable(const std::string& path) {
  if (path.empty()) return Status::error(Fault::kUsage, "output path: is empty");
  if (path.find_first_of("\n\r\t") != std::string::npos) {
    return Status::error(Fault::kUnsupported, path + ": a line break or tab in its name");
  }
  std::filesystem::path folder = std::filesystem::path(path).parent_path();
  if (folder.empty()) folder = ".";
  std::error_code error;
  if (!std::filesystem::is_directory(folder, error)) {
    return Status::error(Fault::kNotFound, path + ": no such folder");
  }
  if (std::filesystem::is_directory(path, error))
    return Status::error(Fault::kSystem, path + ": is a folder");
  return ReplacedFile::check(path);
}

Status check_replaceable(const std::string& path) {
  if (Status status = check_writable(path); !status) return status;
  return ReplacedFile::replaces(path)
             ? Status()
             : Status::error(Fault::kRefused, path + ": is no regular file");
}

bool is_same_file(const std::string& one, const std::string& other) {
  struct stat first {
  }, second{};
  const bool first_exists = stat(one.c_str(), &first) == 0;
  const bool second_exists = stat(other.c_str(), &second) == 0;
  if (first_exists && second_exists) {
    return S_ISREG(first.st_mode) && first.st_dev == second.st_dev && first.st_ino == second.st_ino;
  }
  if (first_exists || second_exists) return false;
  std::error_code error;
  const auto place = [&](const std::string& path) {
    return std::filesystem::weakly_canonical(std::filesystem::absolute(path, error), error);
  };
  return place(one) == place(other) && !error;
}

Status check_replaces_none(const std::string& output, std::initializer_list<OtherFile> others) {
  for (const OtherFile& other : others) {
    if (output.empty() || other.path.empty() || !is_same_file(output, other.path)) continue;
    const std::string spelling = other.path == output ? "" : ", " + other.path;
    return Status::error(Fault::kUsage, output + ": is " + std::string(other.what) + spelling +
                                            "; name another file to write");
  }
  return {};
}

Status check_run_files(const std::string& report, bool has_id_file, const std::string& event_file,
                       const std::string& call_graph) {
  const std::string id_file = has_id_file ? id_file_path(report) : "";
  const OtherFile read{call_graph, "the call graph that is read"};
  if (Status status = check_replaces_none(report, {read}); !status) return status;
  if (Status status = check_replaces_none(id_file, {read}); !status) return status;
  return check_replaces_none(
      event_file,
      {{report, "the run's report"}, {id_file, "the id file beside the run's report"}, read});
}

std::string claim_output_path(const std::string& manifest, const std::string& path,
                              std::int64_t pid) {
  if (manifest.empty()) return path;
  const Note claim = ClaimNote{path, static_cast<std::uint64_t>(pid)};
  if (add_note(manifest, claim) != Noted::kYes) return with_process_id(path, pid);
  // The order of the notes decides who was first.
  for (const Note& note : read_notes(manifest)) {
    if (note == claim) break;
    const auto* other = std::get_if<ClaimNote>(&note);
    if (other != nullptr && other->path == path) return with_process_id(path, pid);
  }
  return path;
}

OutputPlace::OutputPlace(std::string path, std::int64_t pid)
    : path_(std::move(path)), pid_(pid), there_(state_of_file(path_)) {}

OutputPlace::OutputPlace(std::string path, std::int64_t pid, std::string_view state)
    : path_(std::move(path)), pid_(pid) {
  std::istringstream words{std::string(state)};
  words >> there_.device >> there_.inode >> there_.written_ns;
}

std::string OutputPlace::state() const {
  return std::to_string(there_.device) + " " + std::to_string(there_.inode) + " " +
         std::to_string(there_.written_ns);
}

std::string OutputPlace::settle() {
  const FileState now = state_of_file(path_);
  if (now == there_ || now == FileState()) return "";
  const std::string wanted = std::exchange(path_, with_process_id(path_, pid_));
  there_ = state_of_file(path_);
  return path_ == wanted ? "" : other_file_sentence(wanted, path_);
}

void OutputPlace::was_written() { there_ = state_of_file(path_); }

std::string free_stream_path(const std::string& path, std::int64_t pid) {
  return is_locked_stream(path) ? with_process_id(path, pid) : path;
}

std::string other_file_sentence(const std::string& path, const std::string& name) {
  return path + ": another run writes this file, too; the file of this run is " + name;
}

std::string id_file_path(const std::string& report_path) {
  std::filesystem::path path(report_path);
  if (path.extension() == ".ids") return report_path + ".ids";
  return path.replace_extension("ids").string();
}

}  // namespace copse::agent
