// Checks context ids against the JVM's own stack while the program runs: a truth that shares
// nothing with probes and encoders. Methods are compared, call sites are not. For application
// classes; with the JDK's, what is on a stack and what is recorded differ (native methods, frames
// from before recording started).
//
// Threads: any; one mutex for the results.
#pragma once

#include <jvmti.h>

#include <cstdint>
#include <mutex>
#include <string>
#include <vector>

#include "agent/jvm/recorded_methods.h"
#include "context_id/context_ids.h"

namespace copse {

class StackCheck {
 public:
  // Every `every`-th marked entry of a thread is checked, at least 1.
  StackCheck(jvmtiEnv* jvmti, const ContextIds& ids, RecordedMethods& methods, std::uint64_t every);

  // Called by: the running thread, from a marked method's entry, whose frame word is `frame`. Cost:
  // when it checks, a stack walk and a decode.
  void at_mark(JNIEnv* jni, std::uint64_t frame);

  struct Outcome {
    std::uint64_t checked = 0;
    std::uint64_t wrong = 0;
    std::string first_wrong;  // what the id decodes to, and what the stack says
  };
  Outcome outcome() const;

 private:
  // The recorded methods on the stack, outermost first; empty when the JVM cannot say.
  std::vector<MethodId> stack(JNIEnv* jni);

  jvmtiEnv* const jvmti_;
  const ContextIds& ids_;
  RecordedMethods& methods_;
  const std::uint64_t every_;

  mutable std::mutex outcome_mutex_;
  Outcome outcome_;
};

}  // namespace copse
