// A measure of a run besides calls that has work of its own while the run lasts: clocks, tables, probes. The owner of
// the run's measures (tree_measures.h for trees, run_events.h for context ids) calls these functions of each; what a
// measure finds goes to the sink that it was made with.
#pragma once

#include <jni.h>

#include <string>
#include <vector>

#include "agent/jvm/runtime/runtime_class.h"
#include "base/status.h"
#include "shadowstack/thread_header.h"

namespace copse::jvm {

class Measure {
 public:
  virtual ~Measure() = default;

  // Called before the first thread has a header.
  virtual Status start(JNIEnv*) { return {}; }
  // Says what the runtime must do for the measure. REQUIRES: start() was called.
  virtual void ask_for(RuntimeClass::Threads&) noexcept {}
  // Called when threads have headers.
  virtual Status start_counting(JNIEnv*) { return {}; }
  // Called once when Copse was attached and the recording begins: forgets what it has counted itself, or starts.
  virtual Status begin(JNIEnv*) { return {}; }

  // Counts what waits: all of it, before a snapshot; that of a thread, before the data that resolves its words is
  // freed. Callable before start_counting().
  virtual void count_waiting() noexcept {}
  virtual void count_waiting_of(const shadowstack::ThreadHeader&) noexcept {}
  // The thread of the header ends. Called by: that thread, while the header is its own.
  virtual void end(shadowstack::ThreadHeader&) noexcept {}

  // Ends measuring. What waits is counted.
  virtual void stop() noexcept {}
  // Returns sentences for the report. REQUIRES: stop() was called.
  virtual std::vector<std::string> notes() const { return {}; }
};

}  // namespace copse::jvm
