#include "agent/stack_scale.h"

#include <sys/resource.h>

#include <fstream>

namespace copse::agent {

bool address_space_is_free() {
  struct rlimit limit {};
  if (getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY) return false;
  std::ifstream file("/proc/sys/vm/overcommit_memory");
  int mode = 0;
  constexpr int kEveryByteCounts = 2;
  return !(file >> mode) || mode != kEveryByteCounts;
}

std::string stack_option(std::uint64_t bytes) { return "-Xss" + std::to_string(bytes >> 10) + "k"; }

bool stacks_scale(const AgentOptions& options) {
  return !options.keep_stack_size && address_space_is_free();
}

}  // namespace copse::agent
