// Reads from the bytecode of callers whether they ignore the results of their calls.
//
// Threads: one at a time (ValueEvents has the lock), except forget().
//
// Cost: the first look at a call copies and decodes its method; later ones are a look-up.
#pragma once

#include <jvmti.h>

#include <atomic>
#include <cstddef>
#include <map>
#include <tuple>

#include "classfile/method_analysis.h"

namespace copse::jvm {

class CallerCode {
 public:
  explicit CallerCode(jvmtiEnv* jvmti) : jvmti_(jvmti) {}

  // Returns how the calling frame uses the result of its call. Unknown for native methods.
  classfile::ResultUse use_of_result(const jvmtiFrameInfo& caller);
  // Drops the cache, because a class may have got other code. Any thread.
  void forget() noexcept { is_stale_.store(true, std::memory_order_relaxed); }

 private:
  // A method, its size, and the location of the call in it. A redefined method mostly gets another size.
  using Call = std::tuple<jmethodID, jlocation, jlocation>;

  classfile::ResultUse look_at(jmethodID method, jlocation call) const;

  jvmtiEnv* const jvmti_;
  std::atomic<bool> is_stale_{false};
  std::map<Call, classfile::ResultUse> known_;
};

}  // namespace copse::jvm
