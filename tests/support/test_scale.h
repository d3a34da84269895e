// How many times as many random cases a test has as it needs at each change: the environment variable COPSE_TEST_SCALE.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>

namespace copse::test {

// Returns 1 where the variable is not set.
inline std::uint64_t test_scale() {
  const char* text = std::getenv("COPSE_TEST_SCALE");
  return text ? std::max<std::uint64_t>(1, std::strtoull(text, nullptr, 10)) : 1;
}

}  // namespace copse::test
