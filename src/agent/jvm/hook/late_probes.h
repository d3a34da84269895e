// Loads classes again while the program runs, so that methods get the probes that they were not given at first
// (probe_selection.h). A thread of the agent does so, because the thread that finds the need may hold any lock
// of the program, and other agents are asked about these classes too.
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

  // Called once, in VMInit or later, when probes can run, and before the run's own threads start. From then on
  // this object must not be destroyed.
  Status start(JNIEnv* jni);
  // Requests probes for classes and returns at once. Classes that the JVM refuses to load again are listed as
  // skipped.
  void want(Classes classes);
  // Returns when no class is being loaded again, and none will be. REQUIRES: the live phase.
  void stop() noexcept;

 private:
  static void JNICALL main(jvmtiEnv* jvmti, JNIEnv* jni, void* self);
  void run(JNIEnv* jni) noexcept;
  void load_again(JNIEnv* jni, const Classes& classes);

  const Run& run_;
  ProbeSelection& selection_;
  std::mutex mutex_;              // guards the members below
  std::condition_variable wake_;  // wakes the thread and stop()
  bool is_running_ = false;
  bool is_stopped_ = false;
  Classes wanted_;
};

}  // namespace copse::jvm
