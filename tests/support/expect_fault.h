// Checks of failures by their kind and the values that their messages name: EXPECT_FAULT(outcome, kMalformed, "17"), or
// EXPECT_NAMES(message, "line 3", "17") for one without a kind. Wording is compared in tests/golden/wording alone.
#pragma once

#include <gtest/gtest.h>

#include <initializer_list>
#include <string_view>

#include "base/status.h"

namespace copse::faults {

inline Status status_of(Status status) { return status; }
template <typename T>
Status status_of(const Result<T>& result) {
  return result.ok() ? Status() : result.status();
}

inline ::testing::AssertionResult names(std::string_view message,
                                        std::initializer_list<std::string_view> values) {
  for (const std::string_view value : values) {
    if (message.find(value) == std::string_view::npos) {
      return ::testing::AssertionFailure() << "no " << value << " in: " << message;
    }
  }
  return ::testing::AssertionSuccess();
}

inline ::testing::AssertionResult failed_with(const Status& status, Fault fault,
                                              std::initializer_list<std::string_view> values) {
  if (status.ok()) return ::testing::AssertionFailure() << "no failure";
  if (status.fault() != fault) {
    return ::testing::AssertionFailure()
           << "kind " << static_cast<int>(status.fault()) << ": " << status.message();
  }
  return names(status.message(), values);
}

}  // namespace copse::faults

// `outcome`: a Status or Result. The words behind `fault` are all in its message.
#define EXPECT_FAULT(outcome, fault, ...)                                       \
  EXPECT_TRUE(::copse::faults::failed_with(::copse::faults::status_of(outcome), \
                                           ::copse::Fault::fault, {__VA_ARGS__}))
#define EXPECT_NAMES(message, ...) EXPECT_TRUE(::copse::faults::names(message, {__VA_ARGS__}))
