// Natives of copse.CopseNative, which probes call where they cannot go on by themselves.
//
// The JVM passes them no data of the agent. They find it by one pointer of the process, which bind_natives()
// publishes. The pointer is never reset: threads may run probes while the process exits.
#pragma once

#include <jvmti.h>

#include <array>
#include <atomic>

#include "agent/jvm/hotspot/virtual_threads.h"
#include "agent/jvm/ids/stack_check.h"
#include "agent/jvm/measures/allocated_types.h"
#include "agent/jvm/runtime/header_table.h"
#include "base/status.h"
#include "encoders/ids/allocation_counts.h"
#include "encoders/ids/context_ids.h"
#include "shadowstack/packets/recorder.h"
#include "shadowstack/sampling/cpu_timers.h"

namespace copse::jvm {

class MissingFrames;
class RuntimeClass;

// Data that the natives work on. Set before probes can call any native, except `threads`.
struct Natives {
  Natives(const RuntimeClass& owner, VirtualThreads& virtuals, HeaderTable& headers)
      : runtime(owner), virtual_threads(virtuals), table(headers) {}

  // Returns a header for a thread of the program. The thread's packet comes with its first record.
  shadowstack::ThreadHeader* new_header(JNIEnv* jni, jobject thread) const;

  const RuntimeClass& runtime;
  VirtualThreads& virtual_threads;
  HeaderTable& table;
  jvmtiEnv* jvmti = nullptr;
  jfieldID thread_id_field = nullptr;

  // Recorder of the last recording in the JVM. Trees are found by the header.
  std::atomic<shadowstack::ThreadRecorder*> threads = nullptr;
  // Timers of the last recording; nullptr if it samples none.
  std::atomic<sampling::CpuTimers*> timers = nullptr;
  // Counts of the last recording, stored before `threads`: a thread with a header of that recording also finds
  // its counts.
  std::atomic<context_id::AllocationCounts*> allocations = nullptr;
  // This member and the next are nullptr if the run has none.
  shadowstack::Recorder* recorder = nullptr;
  context_id::ContextIds* ids = nullptr;
  std::atomic<bool> looks_at_threads = false;  // whether another thread looks at running threads
  bool asking_is_event = false;                // whether a call of copse.Context.id() is an event
  StackCheck* stacks = nullptr;
  MissingFrames* missing = nullptr;  // set if not all methods have probes
  AllocatedTypes* types = nullptr;
};

// Defines the natives' class, lets java.base call it, and binds it to `natives`, which is never freed. Returns
// the class as a global reference. `of_java_base`: any class of java.base. Called once in a process.
Result<jclass> bind_natives(jvmtiEnv* jvmti, JNIEnv* jni, jclass of_java_base, Natives& natives);

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
