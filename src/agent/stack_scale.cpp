#include "agent/stack_scale.h"

#include <sys/resource.h>

#include "base/descriptor.h"

namespace copse::agent {

bool address_space_is_free() {
  struct rlimit limit {};
  if (getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY) return false;
  constexpr char kEveryByteCounts = '2';
  return !file_contents("/proc/sys/vm/overcommit_memory")
              .value_or("")
              .starts_with(kEveryByteCounts);
}

std::string stack_option(std::uint64_t bytes) { return "-Xss" + std::to_string(bytes >> 10) + "k"; }

bool stacks_scale(const AgentOptions& options) {
  return !options.keep_stack_size && address_space_is_free();
}

}  // namespace copse::agent
