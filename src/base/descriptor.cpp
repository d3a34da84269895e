#include "base/descriptor.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <utility>

namespace copse {

int above_standard(int descriptor) noexcept {
  if (descriptor < 0 || descriptor > STDERR_FILENO) return descriptor;
  const int moved = ::fcntl(descriptor, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
  const int error = errno;
  ::close(descriptor);
  errno = error;
  return moved;
}

int open_above_standard(const char* path, int flags, mode_t mode) noexcept {
  const int descriptor = above_standard(::open(path, flags | O_CLOEXEC, mode));
  constexpr int kNew = O_CREAT | O_EXCL;
  if (descriptor >= 0 && (flags & kNew) == kNew) ::fchmod(descriptor, mode);
  return descriptor;
}

std::optional<std::string> file_contents(const std::string& path) {
  const Descriptor file(open_above_standard(path.c_str(), O_RDONLY));
  if (!file) return std::nullopt;
  std::string contents;
  std::array<char, 1 << 14> block;
  for (;;) {
    const ssize_t count = ::read(file.number(), block.data(), block.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return std::nullopt;
    if (count == 0) return contents;
    contents.append(block.data(), static_cast<std::size_t>(count));
  }
}

Descriptor::Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}

Descriptor& Descriptor::operator=(Descriptor&& other) noexcept {
  std::swap(number_, other.number_);
  return *this;
}

Descriptor::~Descriptor() {
  if (number_ >= 0) ::close(number_);
}

void take_closed_standard_descriptors() noexcept {
  for (int number = STDIN_FILENO; number <= STDERR_FILENO; ++number) {
    if (::fcntl(number, F_GETFD) >= 0) continue;
    // The lowest free number is this one. The wrong direction makes reads and writes fail.
    ::open("/dev/null", (number == STDIN_FILENO ? O_WRONLY : O_RDONLY) | O_CLOEXEC);
  }
}

}  // namespace copse
