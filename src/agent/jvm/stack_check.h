// Checks context ids against the JVM's own stack while the program runs: a truth that shares
// nothing with probes and encoders. Methods are compared, call sites are not. For application
// classes; with the JDK's, what is on a stack and what is recorded differ (native methods, frames
// from before recording started).
//
// Threads: any; one mutex for the methods met, one for the results.
#pragma once

#include <jvmti.h>

#include <cstdint>
#include <functional>
#include <mutex>
#include <string>
#include <unordered_map>
#include <vector>

#include "agent/jvm/method_table.h"
#include "context_id/context_ids.h"

namespace copse {

class StackCheck {
 public:
  using LoaderNumber = std::function<std::uint64_t(JNIEnv*, jobject loader)>;

  // Every `every`-th marked entry of a thread is checked, at least 1. `loader_number` as given to
  // MethodTable::open_class().
  StackCheck(jvmtiEnv* jvmti, const ContextIds& ids, const MethodTable& methods,
             LoaderNumber loader_number, std::uint64_t every);

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
  MethodId method_of(JNIEnv* jni, jmethodID method);
  MethodId look_up(JNIEnv* jni, jmethodID method) const;

  jvmtiEnv* const jvmti_;
  const ContextIds& ids_;
  const MethodTable& methods_;
  const LoaderNumber loader_number_;
  const std::uint64_t every_;

  std::mutex known_mutex_;
  std::unordered_map<jmethodID, MethodId> known_;

  mutable std::mutex outcome_mutex_;
  Outcome outcome_;
};

}  // namespace copse
