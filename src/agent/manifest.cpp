#include "agent/manifest.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string_view>

namespace copse {
namespace {

namespace fs = std::filesystem;

// The first line, where the file system gave the lock: without it nobody is taken for dead.
constexpr std::string_view kLocked = "locked\n";

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

std::vector<std::string> ManifestFile::lines() const {
  std::ifstream file(path_);
  std::vector<std::string> lines;
  for (std::string line; std::getline(file, line);) {
    if (line + "\n" != kLocked) lines.push_back(line);
  }
  return lines;
}

int open_manifest(const std::string& path) noexcept { return open_own(path, O_WRONLY | O_APPEND); }

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

}  // namespace copse
