// Whose the machine code of the process is. Java's is what the JIT compilers make, and the interpreter;
// Copse's own, the agent's, and what compilers make of the runtime classes, most of it inlined into the
// program's methods. The JVM tells of that when it has compiled a method, for every instruction, because
// somebody asks. All else is native.
//
// Threads: the JVM's, which tell of code, and any that asks.
#pragma once

#include <jvmti.h>

#include <atomic>
#include <cstdint>
#include <span>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "base/status.h"
#include "shadowstack/sampling/code_ranges.h"

namespace copse::jvm {

enum class CodeKind : std::uint8_t {
  kJava,
  kOwn,
  kNative,  // native methods, the JVM's own code, and stubs that it makes, as for sines or copies of arrays
};

class MachineCode {
 public:
  // One per process, never destroyed: the JVM's events may be on their way.
  static MachineCode& of_process();

  // `runtime`: classes all of whose code is Copse's, the same at every start. From now on the JVM
  // tells of what it compiles, and has told of what there is. Throws std::bad_alloc.
  Status start(jvmtiEnv* jvmti, std::span<const jclass> runtime);
  void stop(jvmtiEnv* jvmti) noexcept;

  // Of the JVM's events. Where there is no memory to keep it, code counts as native.
  struct Compiled {
    jmethodID method;
    const void* code;
    jint bytes;
    const void* details;  // jvmticmlr.h; null: none
  };
  void compiled(const Compiled& what) noexcept;
  void dropped(const void* code) noexcept;
  void generated(std::string_view name, const void* code, jint bytes) noexcept;

  // Whether any probe was compiled so far. What the interpreter runs of probes is not known as theirs.
  bool has_compiled() const noexcept { return has_compiled_.load(std::memory_order_relaxed); }

  // Code that was made or dropped a moment ago may not be known yet.
  CodeKind kind_of(std::uint64_t address) const noexcept;

 private:
  using Range = sampling::CodeRanges::Range;

  Status find_own(jvmtiEnv* jvmti, std::span<const jclass> runtime);
  static void find_interpreter(jvmtiEnv* jvmti);
  bool is_ours(jmethodID method) const { return methods_.count(method) != 0; }
  std::vector<Range> own_in(const Compiled& what) const;

  std::unordered_set<jmethodID> methods_;  // constant since the first start()
  Range agent_{};                          // as this one
  Range interpreter_{};                    // and this
  sampling::CodeRanges compiled_;
  std::atomic<bool> has_compiled_{false};
};

}  // namespace copse::jvm
