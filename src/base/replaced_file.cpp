#include "base/replaced_file.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <memory>
#include <new>

namespace copse {
namespace {

Status failure(const std::string& path, int error) {
  return Status::error(
      Fault::kSystem,
      path + ": " + (error == ENXIO ? "no process reads from it" : std::strerror(error)));
}

std::string folder_of(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  if (slash == std::string::npos) return ".";
  return slash == 0 ? "/" : path.substr(0, slash);
}

// The links of /dev and /proc stand for files that are open already: to replace one would take
// standard output away from every process of the machine.
bool is_link_to_open_file(const std::string& path) {
  const std::unique_ptr<char, decltype(&std::free)> folder(
      ::realpath(folder_of(path).c_str(), nullptr), &std::free);
  if (folder == nullptr) return false;
  const std::string_view name(folder.get());
  return name == "/dev" || name.starts_with("/proc/");
}

enum class Way { kReplace, kDirect, kFail };  // kFail: errno says why

Way way_to(const std::string& path) {
  struct stat named, meant;
  if (::lstat(path.c_str(), &named) != 0) return errno == ENOENT ? Way::kReplace : Way::kFail;
  if (::stat(path.c_str(), &meant) != 0) return Way::kReplace;  // a link that leads nowhere
  if (S_ISDIR(meant.st_mode)) {
    errno = EISDIR;
    return Way::kFail;
  }
  if (!S_ISREG(meant.st_mode)) return Way::kDirect;
  return S_ISLNK(named.st_mode) && is_link_to_open_file(path) ? Way::kDirect : Way::kReplace;
}

// Returns a short name, so that it fits wherever the target's name does. It is unguessable, so that
// no other writer to the folder can take it first.
std::string unguessable_name() {
  std::uint64_t random = 0;
  if (::getrandom(&random, sizeof random, 0) != sizeof random) {
    random = static_cast<std::uint64_t>(::getpid());
  }
  char name[40];
  std::snprintf(name, sizeof name, ".copse-%016llx.tmp", static_cast<unsigned long long>(random));
  return name;
}

}  // namespace

int write_all(int descriptor, std::string_view block) {
  while (!block.empty()) {
    const ssize_t written = ::write(descriptor, block.data(), block.size());
    if (written < 0) {
      if (errno == EINTR) continue;
      return errno;
    }
    block.remove_prefix(static_cast<std::size_t>(written));
  }
  return 0;
}

ReplacedFile::ReplacedFile(std::string path) : path_(std::move(path)) {
  switch (way_to(path_)) {
    case Way::kReplace:
      open_beside();
      break;
    case Way::kDirect:
      open_directly();
      break;
    case Way::kFail:
      open_status_ = failure(path_, errno);
  }
}

void ReplacedFile::open_directly() {
  // Without O_NONBLOCK a FIFO without a reader would block the program for ever.
  descriptor_ = open_above_standard(path_.c_str(), O_WRONLY | O_APPEND | O_NONBLOCK | O_NOCTTY);
  if (descriptor_ < 0 || ::fcntl(descriptor_, F_SETFL, O_APPEND) != 0) {
    open_status_ = failure(path_, errno);
  }
}

void ReplacedFile::open_beside() {
  for (int attempt = 0; attempt < 100; ++attempt) {
    temporary_ = folder_of(path_) + "/" + unguessable_name();
    // O_EXCL follows no link.
    descriptor_ = open_above_standard(temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL, 0600);
    if (descriptor_ >= 0) return;
    if (errno != EEXIST) break;
  }
  open_status_ = failure(path_, errno);
  temporary_.clear();
}

ReplacedFile::~ReplacedFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
}

Status ReplacedFile::write(std::string_view block) {
  if (!open_status_.ok()) return open_status_;
  const int error = write_all(descriptor_, block);
  return error == 0 ? Status() : failure(path_, error);
}

Status ReplacedFile::commit() {
  if (!open_status_.ok()) return open_status_;
  // close() is where a full network disk speaks up.
  const int closed = ::close(descriptor_);
  descriptor_ = -1;
  if (closed != 0) return failure(path_, errno);
  if (temporary_.empty()) return {};
  if (::rename(temporary_.c_str(), path_.c_str()) != 0) return failure(path_, errno);
  temporary_.clear();
  return {};
}

FileState state_of_file(const std::string& path) {
  struct stat there;
  if (way_to(path) != Way::kReplace || ::lstat(path.c_str(), &there) != 0) return {};
  return {there.st_dev, there.st_ino,
          std::int64_t{there.st_mtim.tv_sec} * 1'000'000'000 + there.st_mtim.tv_nsec};
}

FolderLock::FolderLock(const std::string& path) noexcept {
  constexpr int kMostLooks = 500;
  constexpr timespec kBetweenLooks{0, 20'000'000};
  try {
    folder_ = Descriptor(open_above_standard(folder_of(path).c_str(), O_RDONLY | O_DIRECTORY));
  } catch (const std::bad_alloc&) {
    return;
  }
  for (int look = 0; folder_ && look < kMostLooks; ++look) {
    if (::flock(folder_.number(), LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK) return;
    ::nanosleep(&kBetweenLooks, nullptr);
  }
}

bool ReplacedFile::replaces(const std::string& path) { return way_to(path) == Way::kReplace; }

Status ReplacedFile::check(const std::string& path) {
  switch (way_to(path)) {
    case Way::kFail:
      return failure(path, errno);
    case Way::kDirect:
      return ::access(path.c_str(), W_OK) == 0 ? Status() : failure(path, errno);
    case Way::kReplace:
      break;
  }
  return ReplacedFile(path).open_status_;
}

}  // namespace copse
