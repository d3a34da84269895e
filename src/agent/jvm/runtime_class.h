// The Java side of the agent (runtime/): defined into the boot loader, its natives bound, started.
#pragma once

#include <jvmti.h>

#include <cstdint>

#include "base/status.h"
#include "cct/inline_trees.h"
#include "shadowstack/recorder.h"

namespace copse {

// How a probe finds its thread's header.
enum class HeaderAccess {
  kTableByThreadId,  // no change to java.lang.Thread: class data sharing stays on
  kThreadField,      // a field added to java.lang.Thread when that class is loaded
};
inline constexpr const char* kThreadHeaderField = "copse$header";

class RuntimeClass {
 public:
  // `in_line`: the probes build trees in place instead of appending records.
  RuntimeClass(HeaderAccess access, bool in_line) : access_(access), in_line_(in_line) {}

  // Defines java.lang.CopseProbe. With kThreadField it must exist before the first instrumented
  // method runs (early VMStart), else at VMInit.
  Status define_probe(JNIEnv* jni);
  // VMInit: defines the natives' class, binds them to what records, reserves the table, and starts
  // recording. It must outlive the JVM, and be of the kind the probes are.
  Status start(jvmtiEnv* jvmti, JNIEnv* jni, Recorder& recorder, std::uint64_t packet_bytes);
  Status start(jvmtiEnv* jvmti, JNIEnv* jni, InlineTrees& trees);

  // The header of a thread; null when it has none. Callable from event callbacks on any thread.
  ThreadHeader* header_of(JNIEnv* jni, jthread thread) const;
  // Unbinds a thread that ended from its header.
  void forget(JNIEnv* jni, jthread thread) const;

 private:
  Status start(jvmtiEnv* jvmti, JNIEnv* jni, ThreadRecorder& threads, std::uint64_t packet_bytes);
  std::uint64_t* table_slot(jlong thread_id) const;

  const HeaderAccess access_;
  const bool in_line_;
  jclass probe_ = nullptr;           // global reference
  jfieldID thread_field_ = nullptr;  // Thread.tid or the added field
  std::uint64_t* table_ = nullptr;   // by thread id: address of the thread's header
  std::uint64_t table_entries_ = 0;
};

}  // namespace copse
