// Stack size of the threads of a recorded program.
//
// Frames of recorded methods are larger, compiled ones up to three times. Methods that the compiler of cold
// code inlines without probes have frames of their own with probes. A program must still be able to recurse as
// deep as without Copse.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>

#include "agent/options.h"

namespace copse::agent {

inline constexpr std::uint64_t kStackScale = 8;
// Default stack size of a JVM's threads.
#if defined(__aarch64__)
inline constexpr std::uint64_t kDefaultStackBytes = 2 << 20;
#else
inline constexpr std::uint64_t kDefaultStackBytes = 1 << 20;
#endif

constexpr std::uint64_t scaled_stack(std::uint64_t bytes) noexcept {
  constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 30;  // the JVM refuses more
  return std::max(bytes, std::min(bytes, kMostBytes / kStackScale) * kStackScale);
}

// Returns the JVM's option for stacks of that size.
std::string stack_option(std::uint64_t bytes);

// Returns whether unused stack costs nothing. Where address space is limited (ulimit -v), or counted as memory
// (vm.overcommit_memory 2), the program may need it.
bool address_space_is_free();

// Returns whether the agent gives threads larger stacks.
bool stacks_scale(const AgentOptions& options);

}  // namespace copse::agent
