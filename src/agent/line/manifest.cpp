#include "agent/line/manifest.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <sstream>
#include <string_view>
#include <utility>

namespace copse::agent {
namespace {

// The first line, if the file system granted the lock. Without it a command is never taken for dead.
constexpr std::string_view kLocked = "locked\n";

// Others may make files where one was removed: below 0 unless it is ours. errno is ENOENT when
// there is none.
int open_own(const std::string& path, int flags) noexcept {
  const int file = open_above_standard(path.c_str(), flags | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY);
  struct stat about {};
  if (file < 0) return file;
  if (fstat(file, &about) == 0 && S_ISREG(about.st_mode) && about.st_uid == geteuid()) return file;
  close(file);
  errno = EACCES;
  return -1;
}

// Makes a file of mkstemp()'s pattern for appending. A file system that is full takes an empty file, so room for the notes
// is taken at once, where that can be done. None: errno says why, and there is no file.
Descriptor make_with_room(std::string& pattern) {
  constexpr off_t kRoom = 64 << 10;
  Descriptor file(above_standard(mkostemp(pattern.data(), O_CLOEXEC | O_APPEND)));
  if (!file || fallocate(file.number(), FALLOC_FL_KEEP_SIZE, 0, kRoom) == 0) return file;
  // Any other error is of a file system that does not know how, or of a system that does not allow it.
  if (errno != ENOSPC && errno != EDQUOT) return file;
  const int error = errno;
  unlink(pattern.c_str());
  errno = error;
  return {};
}

}  // namespace

ManifestFile::ManifestFile(const std::string& beside) {
  const SignalsHeldBack held;
  std::string why;
  for (const std::string& folder : temporary_folders(beside)) {
    std::string path = folder + "/copse-XXXXXX";
    file_ = make_with_room(path);
    if (!file_) {
      why += (why.empty() ? "" : ", ") + folder + " (" + std::strerror(errno) + ")";
      continue;
    }
    path_ = path;
    passing_.emplace(path, PassingPath::Kind::kFile);
    if (flock(file_.number(), LOCK_EX | LOCK_NB) == 0) {
      [[maybe_unused]] const ssize_t said = write(file_.number(), kLocked.data(), kLocked.size());
    }
    return;
  }
  status_ = Status::error(Fault::kSystem, "temporary file: none can be written in " + why +
                                              "; set TMPDIR to a folder with room");
}

std::vector<Note> ManifestFile::notes() const { return read_notes(path_); }

AnswerFile::AnswerFile(const std::string& root) {
  const SignalsHeldBack held;
  for (const char* const folder : {"/tmp", "/dev/shm"}) {
    folder_ = Descriptor(open_above_standard((root + folder).c_str(), O_PATH | O_DIRECTORY));
    if (!folder_) continue;
    const std::string ours = "/proc/self/fd/" + std::to_string(folder_.number());
    std::string path = ours + "/copse-answer-XXXXXX";
    if (!make_with_room(path)) continue;
    path_ = folder + path.substr(ours.size());
    passing_.emplace(path, PassingPath::Kind::kFile);
    return;
  }
}

std::vector<Note> AnswerFile::notes() const { return read_notes(passing_->path()); }

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
  std::istringstream file(file_contents(path).value_or(""));
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
