#include "agent/line/manifest.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string_view>
#include <utility>

namespace copse::agent {
namespace {

namespace fs = std::filesystem;

// The first line, where the file system gave the lock: without it nobody is taken for dead.
constexpr std::string_view kLocked = "locked\n";

// Others may make files where one was removed: below 0 unless it is ours. errno is ENOENT when
// there is none.
int open_own(const std::string& path, int flags) noexcept {
  const int file = open(path.c_str(), flags | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY);
  struct stat about {};
  if (file < 0) return file;
  if (fstat(file, &about) == 0 && S_ISREG(about.st_mode) && about.st_uid == geteuid()) return file;
  close(file);
  errno = EACCES;
  return -1;
}

}  // namespace

ManifestFile::ManifestFile() {
  const char* folder = std::getenv("TMPDIR");
  std::error_code error;
  path_ = fs::absolute(folder != nullptr && *folder != '\0' ? folder : "/tmp", error).string() +
          "/copse-XXXXXX";
  descriptor_ = mkostemp(path_.data(), O_CLOEXEC | O_APPEND);
  if (descriptor_ < 0) {
    path_.clear();
  } else if (flock(descriptor_, LOCK_EX | LOCK_NB) == 0) {
    [[maybe_unused]] const ssize_t said = write(descriptor_, kLocked.data(), kLocked.size());
  }
}

ManifestFile::~ManifestFile() {
  if (descriptor_ < 0) return;
  unlink(path_.c_str());
  close(descriptor_);
}

std::vector<Note> ManifestFile::notes() const { return read_notes(path_); }

AnswerFile::AnswerFile(std::string root)
    : root_(std::move(root)), path_("/tmp/copse-answer-XXXXXX") {
  std::string ours = root_ + path_;
  const int file = mkstemp(ours.data());
  if (file < 0) return;
  path_ = ours.substr(root_.size());
  made_ = true;
  close(file);
}

AnswerFile::~AnswerFile() {
  if (made_) unlink((root_ + path_).c_str());
}

std::vector<Note> AnswerFile::notes() const { return read_notes(root_ + path_); }

Noted add_note(const std::string& path, const Note& note) {
  if (path.empty()) return Noted::kNo;
  const int file = open_own(path, O_WRONLY | O_APPEND);
  if (file < 0) return errno == ENOENT ? Noted::kGone : Noted::kNo;
  const std::string line = note_line(note) + "\n";
  const bool written = write(file, line.data(), line.size()) == static_cast<ssize_t>(line.size());
  close(file);
  return written ? Noted::kYes : Noted::kNo;
}

std::vector<Note> read_notes(const std::string& path) {
  std::ifstream file(path);
  std::vector<Note> notes;
  for (std::string line; std::getline(file, line);) {
    if (std::optional<Note> note = read_note(line)) notes.push_back(std::move(*note));
  }
  return notes;
}

bool is_abandoned(const std::string& manifest) noexcept {
  const int file = open_own(manifest, O_RDONLY);
  if (file < 0) return errno == ENOENT;
  std::array<char, kLocked.size()> first;
  const bool says_so = read(file, first.data(), first.size()) == ssize_t{kLocked.size()} &&
                       std::string_view(first.data(), first.size()) == kLocked;
  const bool abandoned = says_so && flock(file, LOCK_SH | LOCK_NB) == 0;
  close(file);
  return abandoned;
}

}  // namespace copse::agent
