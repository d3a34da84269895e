#include "report/output.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstring>

namespace copse {
namespace {

// 0, or the errno of the write that failed.
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

Status failure(const std::string& name, int error) {
  return Status::error(name + ": " + std::strerror(error));
}

template <typename Number>
void put_as_text(Output& out, Number number) {
  std::array<char, 32> digits;
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr;
  out.put(std::string_view(digits.data(), static_cast<std::size_t>(end - digits.data())));
}

}  // namespace

void Output::put_number(std::int64_t number) { put_as_text(*this, number); }
void Output::put_number(std::uint64_t number) { put_as_text(*this, number); }
void Output::put_number(double number) { put_as_text(*this, std::isfinite(number) ? number : 0.0); }

void Output::flush() {
  if (status_.ok() && !buffer_.empty()) status_ = write(buffer_);
  buffer_.clear();
}

void Output::put_slowly(std::string_view text) {
  flush();
  if (text.size() <= kBufferBytes) {
    buffer_.append(text);
  } else if (status_.ok()) {
    status_ = write(text);
  }
}

Status Output::finish() {
  flush();
  return status_;
}

Status StringOutput::write(std::string_view block) {
  text_.append(block);
  return {};
}

Status DescriptorOutput::write(std::string_view block) {
  const int error = write_all(descriptor_, block);
  if (error == 0) return {};
  reader_gone_ = error == EPIPE;
  return failure(name_, error);
}

AtomicFile::AtomicFile(std::string path) : path_(std::move(path)) {
  struct stat existing;
  if (::stat(path_.c_str(), &existing) == 0 && !S_ISREG(existing.st_mode)) {
    descriptor_ = ::open(path_.c_str(), O_WRONLY | O_CLOEXEC);
    if (descriptor_ < 0) open_status_ = failure(path_, errno);
    return;
  }
  open_beside();
}

// A name of our own rather than mkstemp's, so that a leftover is recognisable; O_EXCL makes
// concurrent writers and planted links harmless.
void AtomicFile::open_beside() {
  for (int attempt = 0; attempt < 100; ++attempt) {
    temporary_ = path_ + ".tmp-" + std::to_string(::getpid()) + "-" + std::to_string(attempt);
    descriptor_ = ::open(temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (descriptor_ >= 0) return;
    if (errno != EEXIST) break;
  }
  open_status_ = failure(path_, errno);
  temporary_.clear();
}

AtomicFile::~AtomicFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
}

Status AtomicFile::write(std::string_view block) {
  if (!open_status_.ok()) return open_status_;
  const int error = write_all(descriptor_, block);
  return error == 0 ? Status() : failure(path_, error);
}

Status AtomicFile::commit() {
  if (!open_status_.ok()) return open_status_;
  if (Status status = finish(); !status.ok()) return status;
  // close() is where a full network disk speaks up.
  const int closed = ::close(descriptor_);
  descriptor_ = -1;
  if (closed != 0) return failure(path_, errno);
  if (temporary_.empty()) return {};
  if (::rename(temporary_.c_str(), path_.c_str()) != 0) return failure(path_, errno);
  temporary_.clear();
  return {};
}

}  // namespace copse
