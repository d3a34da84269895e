// Finds what each instruction of the process's machine code is of. Java code is the interpreter, and what the JIT
// compilers make of the program's methods. Copse's own code is the agent, and what the compilers make of the runtime
// classes, most of it inlined into the program's methods. The JVM reports inlining for every instruction of a
// compiled method, because the agent asks for it. All other code is native.
//
// Threads: threads of the JVM report code; any thread may ask.
#pragma once

#include <jvmti.h>

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "agent/jvm/hook/recorded_methods.h"
#include "agent/jvm/jvm_state.h"
#include "base/status.h"
#include "shadowstack/inlined_calls.h"
#include "shadowstack/sampling/compiled_code.h"

namespace copse::jvm {

enum class CodeKind : std::uint8_t {
  kJava,
  kOwn,
  kNative,  // native methods, the JVM's own code, and stubs that it makes, as for sines or copies of arrays
};

class MachineCode {
 public:
  // Returns the only instance of the process. Never destroyed, because events of the JVM may be under way.
  static MachineCode& of_process();

  // Starts to follow the JVM's compilers; code that exists already is reported first, without what is inlined there.
  // `runtime`: classes whose code is all Copse's, the same at every start. Throws std::bad_alloc.
  Status start(JNIEnv* jni, JvmState& jvm, std::span<const jclass> runtime);
  void stop(jvmtiEnv* jvmti) noexcept;

  // Code that the JVM's events report. If there is no memory to keep it, it counts as native.
  struct Compiled {
    jmethodID method;
    const void* code;
    jint bytes;
    const void* details;  // jvmticmlr.h; nullptr if none
  };
  void compiled(const Compiled& what) noexcept;
  void dropped(const void* code) noexcept;
  void generated(std::string_view name, const void* code, jint bytes) noexcept;

  // Returns whether any probe was compiled so far. Probes that the interpreter runs are not recognized.
  bool has_compiled() const noexcept { return has_compiled_.load(std::memory_order_relaxed); }

  struct Place {
    CodeKind kind = CodeKind::kNative;
    // The recorded calls that a compiler put there; nullptr if there are none, or none are known.
    std::shared_ptr<const shadowstack::InlinedCalls> calls;
    shadowstack::InlinedCalls::Chain chain = 0;
  };
  // Returns what the code at an address is of. Code made or dropped a moment ago may not be known yet.
  Place place_of(std::uint64_t address) const noexcept;

 private:
  struct Range {
    std::uint64_t begin = 0, end = 0;
  };
  class ChainReader;

  Status find_own(jvmtiEnv* jvmti, std::span<const jclass> runtime);
  static void find_interpreter(jvmtiEnv* jvmti);
  bool is_ours(jmethodID method) const { return methods_.count(method) != 0; }
  std::shared_ptr<RecordedMethods> recorded() const;

  std::unordered_set<jmethodID> methods_;  // constant since the first start()
  Range agent_{};                          // likewise constant
  Range interpreter_{};                    // likewise constant
  JvmState* jvm_ = nullptr;                // likewise constant
  JavaVM* vm_ = nullptr;                   // likewise constant
  sampling::CompiledCode compiled_;
  mutable std::mutex recorded_mutex_;
  std::shared_ptr<RecordedMethods> recorded_;  // of the last recording; guarded by recorded_mutex_
  std::atomic<bool> has_compiled_{false};
};

}  // namespace copse::jvm
