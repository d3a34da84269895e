// Walks the stack at each event, instead of keeping ids: what ids are compared with.
//
// Thread-safe, without locks.
#pragma once

#include <jvmti.h>

#include <atomic>
#include <cstdint>

#include "base/scheme_facts.h"

namespace copse::jvm {

class StackWalk {
 public:
  explicit StackWalk(jvmtiEnv* jvmti) noexcept : jvmti_(jvmti) {}

  // Returns a hash of all frames of the current thread, methods and places in them; 0 if the JVM does not give them or
  // memory is short. Cost: grows with the stack.
  std::uint64_t hash() noexcept;

  std::uint64_t walks() const noexcept { return walks_.load(std::memory_order_relaxed); }
  // Returns the frames of all walks.
  StackFigures frames() const noexcept;

 private:
  jvmtiEnv* const jvmti_;
  // Relaxed: sums that are read when the walks have ended.
  std::atomic<std::uint64_t> walks_{0};
  std::atomic<std::uint64_t> frames_{0};
  std::atomic<std::uint64_t> most_frames_{0};
};

}  // namespace copse::jvm
