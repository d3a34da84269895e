#include "shadowstack/low_memory.h"

#include <sys/mman.h>
#include <sys/resource.h>

#include <algorithm>
#include <cinttypes>
#include <cstdio>

namespace copse::shadowstack {
namespace {

constexpr std::uint64_t kSmallPage = 4096;
constexpr std::uint64_t kStep = std::uint64_t{2} << 20;  // a huge page
constexpr std::uint64_t kLow = std::uint64_t{1} << 31;
constexpr std::uint64_t kHighestPage = kLow - (std::uint64_t{1} << 20);
constexpr std::uint64_t kLowestPage = std::uint64_t{64} << 20;

// Kernels before 4.17 take the address as a hint.
bool map_free(std::uint64_t start, std::uint64_t bytes, int access) noexcept {
  constexpr int kFlags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE;
  void* const wanted = reinterpret_cast<void*>(start);
  void* const mapped = mmap(wanted, bytes, access, kFlags, -1, 0);
  if (mapped == MAP_FAILED) return false;
  if (mapped == wanted) return true;
  munmap(mapped, bytes);
  return false;
}

AddressRange largest_gap(std::uint64_t from, std::uint64_t end) noexcept {
  AddressRange largest;
  const auto consider = [&](std::uint64_t start, std::uint64_t stop) {
    start = (start + kStep - 1) & ~(kStep - 1);
    stop &= ~(kStep - 1);
    if (start < stop && stop - start > largest.bytes) largest = {start, stop - start};
  };
  std::FILE* const maps = std::fopen("/proc/self/maps", "re");
  if (maps == nullptr) return largest;
  char line[512];  // names of files may be longer: the rest of a line then looks like no range
  std::uint64_t free_from = from;
  std::uint64_t first = 0;
  std::uint64_t last = 0;
  while (free_from < end && std::fgets(line, sizeof line, maps) != nullptr) {
    if (std::sscanf(line, "%" SCNx64 "-%" SCNx64 " ", &first, &last) != 2) continue;
    if (first > free_from) consider(free_from, std::min(first, end));
    free_from = std::max(free_from, last);
  }
  std::fclose(maps);
  return largest;
}

// JVMs may have a gigabyte for classes below 2^31.
std::uint64_t map_low_page() noexcept {
  constexpr std::uint64_t kApart = std::uint64_t{64} << 20;
  for (std::uint64_t page = kHighestPage; page > kLowestPage; page -= kApart) {
    if (map_free(page, kSmallPage, PROT_READ)) return page;
  }
  return 0;
}

bool is_address_space_limited() noexcept {
  struct rlimit limit {};
  return getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY;
}

}  // namespace

std::uint64_t low_page() noexcept {
  static const std::uint64_t page = map_low_page();
  return page;
}

AddressRange reserve_low(std::uint64_t end, std::uint64_t least_bytes,
                         std::uint64_t most_bytes) noexcept {
  if (is_address_space_limited()) return {};
  AddressRange range = largest_gap(kLow, end);
  range.bytes = std::min(range.bytes, most_bytes);
  if (range.bytes < least_bytes || !map_free(range.start, range.bytes, PROT_NONE)) return {};
  return range;
}

}  // namespace copse::shadowstack
