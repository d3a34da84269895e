#include "base/stream_lock.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>

#include <cerrno>

#include "base/descriptor.h"

namespace copse {

bool lock_stream(int descriptor) noexcept {
  return ::flock(descriptor, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK;
}

int open_to_lock(const std::string& path) noexcept {
  struct stat about {};
  if (::lstat(path.c_str(), &about) != 0 || !S_ISREG(about.st_mode)) return -1;
  return open_above_standard(path.c_str(), O_RDONLY | O_NONBLOCK | O_NOCTTY | O_NOFOLLOW);
}

bool is_locked_stream(const std::string& path) noexcept {
  const Descriptor file(open_to_lock(path));
  return file && !lock_stream(file.number());
}

}  // namespace copse
