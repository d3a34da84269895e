// Which machine code of the process is Copse's own: the agent's, and what JIT compilers make of the
// runtime classes, most of it inlined into the program's methods. The JVM tells of both when it has
// compiled a method, for every instruction, because somebody asks.
//
// Threads: the JVM's, which tell of code, and any that asks.
#pragma once

#include <jvmti.h>

#include <atomic>
#include <cstdint>
#include <span>
#include <unordered_set>
#include <vector>

#include "base/status.h"
#include "sampling/code_ranges.h"

namespace copse::jvm {

class ProbeCode {
 public:
  // One per process, never destroyed: the JVM's events may be on their way.
  static ProbeCode& of_process();

  // `runtime`: classes all of whose code is Copse's, the same at every start. From now on the JVM
  // tells of what it compiles, and has told of what there is. Throws std::bad_alloc.
  Status start(jvmtiEnv* jvmti, std::span<const jclass> runtime);
  void stop(jvmtiEnv* jvmti) noexcept;

  // Of the JVM's events. Where there is no memory to keep it, code counts as the program's.
  struct Compiled {
    jmethodID method;
    const void* code;
    jint bytes;
    const void* details;  // jvmticmlr.h; null: none
  };
  void compiled(const Compiled& what) noexcept;
  void dropped(const void* code) noexcept;

  // Whether any probe was compiled so far. What the interpreter runs of probes is not known as theirs.
  bool has_compiled() const noexcept { return has_compiled_.load(std::memory_order_relaxed); }

  // Code that was made or dropped a moment ago may not be known yet.
  bool has(std::uint64_t address) const noexcept {
    return (address >= agent_.begin && address < agent_.end) || compiled_.has(address);
  }

 private:
  using Range = sampling::CodeRanges::Range;

  Status find_own(jvmtiEnv* jvmti, std::span<const jclass> runtime);
  bool is_ours(jmethodID method) const { return methods_.count(method) != 0; }
  std::vector<Range> own_in(const Compiled& what) const;

  std::unordered_set<jmethodID> methods_;  // constant since the first start()
  Range agent_{};                          // as this one
  sampling::CodeRanges compiled_;
  std::atomic<bool> has_compiled_{false};
};

}  // namespace copse::jvm
