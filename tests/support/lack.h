// COPSE_LACK(what) skips the test on a machine that lacks something. It fails in continuous
// integration, where no test may be left out.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <string_view>

namespace copse::test {

inline bool is_continuous_integration() {
  const char* const ci = std::getenv("CI");
  return ci != nullptr && !std::string_view(ci).empty();
}

}  // namespace copse::test

#define COPSE_LACK(what)                                                  \
  do {                                                                    \
    if (copse::test::is_continuous_integration()) GTEST_FAIL() << (what); \
    GTEST_SKIP() << (what);                                               \
  } while (false)
