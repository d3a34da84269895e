#include "cli/look/recording_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>

#include "base/replaced_file.h"

namespace copse::cli {
namespace {

constexpr const char* kEnding = ".jfr";

// Returns where the file lies, whatever links lead to it; "" where a link cannot stand for it, because it is no
// regular file, or has no name any more.
std::string place_of_regular_file(const std::string& path) {
  struct stat meant {};
  if (stat(path.c_str(), &meant) != 0 || !S_ISREG(meant.st_mode)) return "";
  const std::unique_ptr<char, decltype(&std::free)> place(realpath(path.c_str(), nullptr),
                                                          &std::free);
  struct stat found {};
  if (place == nullptr || stat(place.get(), &found) != 0) return "";
  return found.st_dev == meant.st_dev && found.st_ino == meant.st_ino ? place.get() : "";
}

Status copy_trouble(const std::string& name, const std::string& copy, int error) {
  return Status::error(Fault::kSystem,
                       name + ": cannot be copied for jfr: " + copy + ": " + std::strerror(error) +
                           "; set TMPDIR to a folder that can be written and has room");
}

// A file that grows beyond a limit gives an error then instead of ending the process.
class LongFilesFail {
 public:
  LongFilesFail() : before_(std::signal(SIGXFSZ, SIG_IGN)) {}
  LongFilesFail(const LongFilesFail&) = delete;
  LongFilesFail& operator=(const LongFilesFail&) = delete;
  ~LongFilesFail() { std::signal(SIGXFSZ, before_); }

 private:
  void (*const before_)(int);
};

Status copy_bytes(join::SampleBytes& bytes, const std::string& to) {
  const int file = open(to.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (file < 0) return copy_trouble(bytes.name(), to, errno);
  const LongFilesFail long_files_fail;
  int error = 0;
  for (; error == 0 && !bytes.at_end(); bytes.take(bytes.block().size())) {
    error = write_all(file, bytes.block());
  }
  if (close(file) != 0 && error == 0) error = errno;
  return error == 0 ? bytes.status() : copy_trouble(bytes.name(), to, error);
}

}  // namespace

Result<std::unique_ptr<RecordingFile>> RecordingFile::of(const std::string& path,
                                                         join::SampleBytes& bytes) {
  std::unique_ptr<RecordingFile> file(new RecordingFile());
  const std::string place = bytes.is_compressed() ? "" : place_of_regular_file(path);
  if (!place.empty() && path.ends_with(kEnding)) {
    // A path that begins like an option would be one.
    file->path_ = path.starts_with('-') ? "./" + path : path;
    return file;
  }
  if (Status status = file->put_into_folder(place, bytes); !status) return status;
  return file;
}

Status RecordingFile::put_into_folder(const std::string& linked, join::SampleBytes& bytes) {
  folder_ = std::make_unique<PassingFolder>();
  if (!folder_->made()) return copy_trouble(bytes.name(), folder_->path(), errno);
  path_ = folder_->path() + "/recording" + kEnding;
  if (linked.empty()) return copy_bytes(bytes, path_);
  return symlink(linked.c_str(), path_.c_str()) == 0 ? Status()
                                                     : copy_trouble(bytes.name(), path_, errno);
}

RecordingFile::~RecordingFile() = default;

}  // namespace copse::cli
