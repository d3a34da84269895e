// Has classes loaded again while the program runs, so that methods get the probes that they were not
// given at first (probe_selection.h). In a thread of the agent's: whoever finds out that they are
// needed may hold any lock of the program's, and other agents are asked about these classes too.
//
// Threads: any.
#pragma once

#include <jvmti.h>

#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <set>

#include "agent/jvm/hook/probe_selection.h"
#include "agent/jvm/run.h"
#include "base/status.h"

namespace copse::jvm {

class LateProbes {
 public:
  using Classes = std::set<ProbeSelection::ClassName>;

  LateProbes(const Run& run, ProbeSelection& selection) : run_(run), selection_(selection) {}
  LateProbes(const LateProbes&) = delete;
  LateProbes& operator=(const LateProbes&) = delete;

  // Once, from VMInit on, when probes can run, before any thread that is the run's starts. Never
  // destroyed from then on.
  Status start(JNIEnv* jni);
  // Returns at once. Classes that the JVM refuses to load again are `skipped`.
  void want(Classes classes);
  // Returns when no class is being loaded again, and none will be. Live phase.
  void stop() noexcept;

 private:
  static void JNICALL main(jvmtiEnv* jvmti, JNIEnv* jni, void* self);
  void run(JNIEnv* jni) noexcept;
  void load_again(JNIEnv* jni, const Classes& classes);

  const Run& run_;
  ProbeSelection& selection_;
  std::mutex mutex_;              // of all below
  std::condition_variable wake_;  // of the thread, and of stop()
  bool is_running_ = false;
  bool is_stopped_ = false;
  Classes wanted_;
};

}  // namespace copse::jvm
