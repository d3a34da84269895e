#include "agent/memory_bound.h"

#include <unistd.h>

#include <algorithm>
#include <charconv>

#include "base/descriptor.h"

namespace copse::agent {
namespace {

constexpr std::uint64_t kGiB = std::uint64_t{1} << 30;

// The limit a control group file names; 2^64 - 1 when there is none ("max", or no such file).
std::uint64_t limit_in(const char* path) {
  const std::string text = file_contents(path).value_or("");
  std::uint64_t limit = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), limit);
  return error == std::errc{} ? limit : ~std::uint64_t{0};
}

std::uint64_t memory_at_hand() {
  const long pages = sysconf(_SC_PHYS_PAGES);
  const long page_bytes = sysconf(_SC_PAGESIZE);
  std::uint64_t bytes = ~std::uint64_t{0};
  if (pages > 0 && page_bytes > 0) {
    bytes = static_cast<std::uint64_t>(pages) * static_cast<std::uint64_t>(page_bytes);
  }
  bytes = std::min(bytes, limit_in("/sys/fs/cgroup/memory.max"));  // second version, then first
  return std::min(bytes, limit_in("/sys/fs/cgroup/memory/memory.limit_in_bytes"));
}

}  // namespace

std::uint64_t memory_bound(const AgentOptions& options) {
  if (options.memory_bytes != 0) return options.memory_bytes;
  return std::clamp(memory_at_hand() / 4, kGiB, 8 * kGiB);
}

}  // namespace copse::agent
