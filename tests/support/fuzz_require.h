// A fuzz target's assertion: prints the target and the condition that does not hold, and stops the program.
#pragma once

#include <cerrno>
#include <cstdio>
#include <cstdlib>

namespace copse {

inline void require(bool condition, const char* what) {
  if (condition) return;
  std::fprintf(stderr, "%s: %s\n", program_invocation_short_name, what);
  std::abort();
}

}  // namespace copse
