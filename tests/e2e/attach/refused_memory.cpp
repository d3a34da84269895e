// Refuses the agent memory, as a system without any does: put before a JVM with LD_PRELOAD. The file that the variable
// COPSE_TEST_REFUSE names holds a number n, and the n-th mapping that the agent asks for from then on fails. The file is
// removed when that has happened.
#include <dlfcn.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <cstring>

namespace {

std::atomic<long> left = 0;  // mappings until the one that fails; 0: the file was not there

bool is_refused() {
  const char* path = std::getenv("COPSE_TEST_REFUSE");
  const int file = path == nullptr ? -1 : open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) {
    left.store(0);
    return false;
  }
  char text[16] = {};
  const ssize_t bytes = read(file, text, sizeof text - 1);
  close(file);
  if (bytes <= 0) return false;
  if (left.load() == 0) left.store(std::atol(text));
  if (--left != 0) return false;
  unlink(path);
  return true;
}

bool is_agent(const void* caller) {
  Dl_info from{};
  return dladdr(caller, &from) != 0 && from.dli_fname != nullptr &&
         std::strstr(from.dli_fname, "libcopse") != nullptr;
}

void* map(const void* caller, void* start, size_t bytes, int allowed, int flags, int file,
          off_t offset) {
  if (is_agent(caller) && is_refused()) {
    errno = ENOMEM;
    return MAP_FAILED;
  }
  return reinterpret_cast<void*>(syscall(SYS_mmap, start, bytes, allowed, flags, file, offset));
}

}  // namespace

extern "C" void* mmap(void* start, size_t bytes, int allowed, int flags, int file, off_t offset) {
  return map(__builtin_return_address(0), start, bytes, allowed, flags, file, offset);
}

extern "C" void* mmap64(void* start, size_t bytes, int allowed, int flags, int file, off_t offset) {
  return map(__builtin_return_address(0), start, bytes, allowed, flags, file, offset);
}
