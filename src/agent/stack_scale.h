// How much more stack the threads of a recorded program get.
//
// Frames of recorded methods are larger, those of compiled code up to three times, and what the
// compiler of cold code inlined without probes has frames of its own with them. A program must
// still be able to recurse as deep as without Copse.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>

#include "agent/options.h"

namespace copse::agent {

inline constexpr std::uint64_t kStackScale = 8;
// Of a JVM's threads where nothing else is asked for.
#if defined(__aarch64__)
inline constexpr std::uint64_t kDefaultStackBytes = 2 << 20;
#else
inline constexpr std::uint64_t kDefaultStackBytes = 1 << 20;
#endif

constexpr std::uint64_t scaled_stack(std::uint64_t bytes) noexcept {
  constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 30;  // the JVM refuses more
  return std::max(bytes, std::min(bytes, kMostBytes / kStackScale) * kStackScale);
}

// The JVM's option for stacks of that size.
std::string stack_option(std::uint64_t bytes);

// Whether stacks that are not used cost nothing: where address space is limited (ulimit -v), or
// counted as memory (vm.overcommit_memory 2), the program may need it.
bool address_space_is_free();

// Whether the agent gives threads more.
bool stacks_scale(const AgentOptions& options);

}  // namespace copse::agent
