// Events that happened outside any recorded context. Each of these places is a context of its own,
// a child of ROOT, which a method stands for that the program has not.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/ids.h"

namespace copse::events {

enum class Outside : std::uint8_t {
  // The thread stood in no recorded method: before its first recorded call, or in other code alone.
  kNoRecordedCaller,
  // Processor time that threads used when no sample followed any more.
  kAfterLastSample,
  // Processor time of the JVM's own threads, and of those that no probe ran in.
  kOtherThreads,
};
inline constexpr std::size_t kOutsidePlaces = 3;

// What is shown, by place: the names of the methods, which have neither class nor descriptor.
inline constexpr std::array<std::string_view, kOutsidePlaces> kOutsideNames = {
    "(no recorded caller)", "(after the last sample)", "(threads without recorded calls)"};

constexpr std::string_view outside_name(Outside place) noexcept {
  return kOutsideNames[static_cast<std::size_t>(place)];
}

// By place; kNoMethod: none, events there are lost.
using OutsideMethods = std::array<MethodId, kOutsidePlaces>;

}  // namespace copse::events
