// Natives of copse.CopseNative, which probes call where they cannot go on by themselves. The natives of threads are
// here; each kind of probes has its own (probe_kind.h).
//
// The JVM passes them no data of the agent. They find it by pointers of the process, published before
// bind_natives() and never reset: threads may run probes while the process exits.
#pragma once

#include <jvmti.h>

#include <array>
#include <atomic>
#include <string>
#include <vector>

#include "agent/jvm/hotspot/virtual_threads.h"
#include "agent/jvm/runtime/header_table.h"
#include "base/status.h"
#include "shadowstack/packets/thread_recorder.h"
#include "shadowstack/sampling/cpu_timers.h"

namespace copse::jvm {

class RuntimeClass;

// Data that the natives of threads work on.
struct Natives {
  Natives(jvmtiEnv* environment, RuntimeClass& owner, VirtualThreads& virtuals,
          HeaderTable& headers)
      : jvmti(environment), runtime(owner), virtual_threads(virtuals), table(headers) {}

  // Returns a header for a thread of the program. The thread's packet comes with its first record.
  shadowstack::ThreadHeader* new_header(JNIEnv* jni, jobject thread) const;

  jvmtiEnv* const jvmti;
  RuntimeClass& runtime;
  VirtualThreads& virtual_threads;
  HeaderTable& table;

  // Recorder of the last recording in the JVM. Trees are found by the header.
  std::atomic<shadowstack::ThreadRecorder*> threads = nullptr;
  // Timers of the last recording; nullptr if it samples none.
  std::atomic<sampling::CpuTimers*> timers = nullptr;
  std::atomic<bool> looks_at_threads = false;  // whether another thread looks at running threads
};

// Defines the natives' class, lets java.base call it, and binds it to the natives of threads and `of_kind`. Returns
// the class as a global reference. `of_java_base`: any class of java.base. `natives` must never be freed. Called
// once in a process.
Result<jclass> bind_natives(JNIEnv* jni, jclass of_java_base, std::vector<JNINativeMethod> of_kind,
                            Natives& natives);

// A native method of copse.CopseNative and the function that bind_natives() binds it to.
struct KnownNative {
  const char* name;
  const char* descriptor;
  void* function;
};
std::array<KnownNative, 2> known_natives() noexcept;

// Clears the pending exception and returns the error.
Status runtime_failure(JNIEnv* jni, const std::string& what);

}  // namespace copse::jvm
