// Checks context ids against the JVM's own stack while the program runs. The stack shares nothing with probes,
// packets and encoders. Methods are compared, call sites are not. For application classes only: with the JDK's,
// the stack and the recorded calls differ (native methods, frames from before recording started).
//
// Threads: any; one mutex for the results.
#pragma once

#include <jvmti.h>

#include <cstdint>
#include <mutex>
#include <optional>
#include <vector>

#include "agent/jvm/hook/recorded_methods.h"
#include "encoders/ids/context_ids.h"

namespace copse::jvm {

class MissingFrames;

class StackCheck {
 public:
  // `ids`: ids that decode. `missing`: knows frames without probes; nullptr if there are none.
  StackCheck(jvmtiEnv* jvmti, const ids::ContextIds& ids, RecordedMethods& methods,
             const MissingFrames* missing);

  // Compares the id of a frame with the stack. Called by: the running thread, from the entry of a method whose
  // frame word is `frame`. Cost: a stack walk and a decode.
  void compare(JNIEnv* jni, std::uint64_t frame);

  struct Mismatch {
    std::uint64_t id;
    Result<CallPath> decoded;
    std::vector<MethodId> stack;  // outermost first
  };
  struct Outcome {
    std::uint64_t compared = 0;
    std::uint64_t wrong = 0;
    std::optional<Mismatch> first_wrong;
  };
  Outcome outcome() const;

 private:
  // Returns the recorded frames on the stack, outermost first; empty if the JVM cannot tell which are recorded.
  std::vector<MethodId> stack(JNIEnv* jni);
  // Returns whether the frame's entry is recorded by now; std::nullopt if unknown.
  std::optional<bool> is_recorded(const jvmtiFrameInfo& frame, MethodId method) const;

  jvmtiEnv* const jvmti_;
  const ids::ContextIds& ids_;
  RecordedMethods& methods_;
  const MissingFrames* const missing_;

  mutable std::mutex outcome_mutex_;
  Outcome outcome_;
};

}  // namespace copse::jvm
