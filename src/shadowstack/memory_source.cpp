#include "shadowstack/memory_source.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>

#include "base/descriptor.h"

namespace copse::shadowstack {
namespace {

constexpr std::size_t kHugePage = std::size_t{2} << 20;

std::size_t page_size() noexcept {
  static const std::size_t size = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  return size;
}

std::size_t whole_pages(std::size_t bytes) noexcept {
  return (bytes + page_size() - 1) & ~(page_size() - 1);
}

// Address space that the process has mapped, in bytes; 0 if unknown.
std::size_t mapped_bytes() noexcept {
  const Descriptor file(open_above_standard("/proc/self/statm", O_RDONLY));
  std::array<char, 32> text{};
  if (!file || read(file.number(), text.data(), text.size()) <= 0) return 0;
  std::size_t pages = 0;
  std::from_chars(text.data(), text.data() + text.size(), pages);
  return pages * page_size();
}

class AnonymousMemory final : public MemorySource {
 public:
  // PROT_NONE: a reservation counts against no limit but that of the address space.
  void* reserve(std::size_t bytes, std::size_t alignment) noexcept override {
    bytes = whole_pages(bytes);
    if (!leaves_address_space(bytes)) return nullptr;
    alignment = std::max(alignment, bytes >= kHugePage ? kHugePage : page_size());
    const std::size_t mapped = bytes + alignment - page_size();
    void* memory =
        mmap(nullptr, mapped, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) return nullptr;
    char* const begin = static_cast<char*>(memory);
    const std::uintptr_t address = reinterpret_cast<std::uintptr_t>(memory);
    char* const start = begin + (((address + alignment - 1) & ~(alignment - 1)) - address);
    if (start != begin) munmap(begin, static_cast<std::size_t>(start - begin));
    char* const end = begin + mapped;
    if (start + bytes != end) munmap(start + bytes, static_cast<std::size_t>(end - start) - bytes);
    if (bytes >= kHugePage) madvise(start, bytes, MADV_HUGEPAGE);
    return start;
  }

  bool reserve_at(void* start, std::size_t bytes) noexcept override {
    constexpr int kFlags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED;
    bytes = whole_pages(bytes);
    if (mmap(start, bytes, PROT_NONE, kFlags, -1, 0) == MAP_FAILED) return false;
    if (bytes >= kHugePage) madvise(start, bytes, MADV_HUGEPAGE);
    return true;
  }

  bool commit(void* start, std::size_t bytes) noexcept override {
    return mprotect(start, whole_pages(bytes), PROT_READ | PROT_WRITE) == 0;
  }

  void forget(void* start, std::size_t bytes) noexcept override {
    madvise(start, whole_pages(bytes), MADV_DONTNEED);
  }

  void release(void* start, std::size_t bytes) noexcept override {
    munmap(start, whole_pages(bytes));
  }

  void disown(void*) noexcept override {}
};

}  // namespace

bool leaves_address_space(std::size_t bytes) noexcept {
  constexpr std::size_t kLittle = std::size_t{8} << 20;
  struct rlimit limit {};
  if (bytes <= kLittle || getrlimit(RLIMIT_AS, &limit) != 0) return true;
  if (limit.rlim_cur == RLIM_INFINITY) return true;
  const std::size_t mapped = mapped_bytes();
  return mapped < limit.rlim_cur && bytes <= (limit.rlim_cur - mapped) / 16;
}

MemorySource& anonymous_memory() noexcept {
  // Never destroyed: threads of a dying process may still use it.
  static AnonymousMemory& memory = *new AnonymousMemory;
  return memory;
}

}  // namespace copse::shadowstack
