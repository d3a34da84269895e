// The natives of copse.CopseNative, which probes call where they cannot go on by themselves.
//
// The JVM calls them with nothing of ours, so what they work on is found by one pointer of the
// process, which bind_natives() publishes. Never taken back: threads may run probes while the
// process exits.
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

// What the natives work on. Set before probes can call any, but for `threads`.
struct Natives {
  Natives(const RuntimeClass& owner, VirtualThreads& virtuals, HeaderTable& headers)
      : runtime(owner), virtual_threads(virtuals), table(headers) {}

  // A header for a thread of the program's. Its packet comes with its first record.
  shadowstack::ThreadHeader* new_header(JNIEnv* jni, jobject thread) const;

  const RuntimeClass& runtime;
  VirtualThreads& virtual_threads;
  HeaderTable& table;
  jvmtiEnv* jvmti = nullptr;
  jfieldID thread_id_field = nullptr;

  // Of the last of several recordings, one after the other. Trees are found by the header.
  std::atomic<shadowstack::ThreadRecorder*> threads = nullptr;
  // Of the last recording as well; null where it samples none.
  std::atomic<sampling::CpuTimers*> timers = nullptr;
  // As well, and stored before `threads`: where the last recording's header is, it is too.
  std::atomic<context_id::AllocationCounts*> allocations = nullptr;
  // Null where the run has none, as all below.
  shadowstack::Recorder* recorder = nullptr;
  context_id::ContextIds* ids = nullptr;
  std::atomic<bool> looks_at_threads = false;  // others than themselves do, while they run
  bool asking_is_event = false;                // calls of copse.Context.id() are
  StackCheck* stacks = nullptr;
  MissingFrames* missing = nullptr;  // where not all methods have probes
  AllocatedTypes* types = nullptr;
};

// Defines the natives' class, lets java.base call it, and binds it to `natives`, which is never
// freed. The result is that class, a global reference. `of_java_base`: any class there. Once in a
// process.
Result<jclass> bind_natives(jvmtiEnv* jvmti, JNIEnv* jni, jclass of_java_base, Natives& natives);

// A native method of copse.CopseNative and the function that bind_natives() binds it to.
struct KnownNative {
  const char* name;
  const char* descriptor;
  void* function;
};
std::array<KnownNative, 2> known_natives() noexcept;

// Takes back what is thrown.
Status runtime_failure(JNIEnv* jni, const std::string& what);

}  // namespace copse::jvm
