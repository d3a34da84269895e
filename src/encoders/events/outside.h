// Places of events outside any recorded context. Each place is a context of its own, a child of ROOT, represented by a
// method that the program does not have.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/ids.h"

namespace copse::events {

enum class Outside : std::uint8_t {
  // The thread was in no recorded method: before its first recorded call, or only in other code.
  kNoRecordedCaller,
  // Processor time of threads after their last sample.
  kAfterLastSample,
  // Processor time of the JVM's own threads, and of threads in which no probe ran.
  kOtherThreads,
};
inline constexpr std::size_t kOutsidePlaces = 3;

// Displayed names by place: names of methods without class and descriptor.
inline constexpr std::array<std::string_view, kOutsidePlaces> kOutsideNames = {
    "(no recorded caller)", "(after the last sample)", "(threads without recorded calls)"};

constexpr std::string_view outside_name(Outside place) noexcept {
  return kOutsideNames[static_cast<std::size_t>(place)];
}

// By place; kNoMethod means none, and events there are lost.
using OutsideMethods = std::array<MethodId, kOutsidePlaces>;

}  // namespace copse::events
