// A fuzz target's assertion: says what does not hold, of which target, and stops it.
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
