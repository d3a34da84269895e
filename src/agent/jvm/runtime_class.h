// The Java side of the agent (runtime/): defined into the boot loader, its natives bound, started.
#pragma once

#include <jvmti.h>

#include <cstdint>

#include "base/status.h"
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
  explicit RuntimeClass(HeaderAccess access) : access_(access) {}

  // Defines java.lang.CopseProbe. With kThreadField it must exist before the first instrumented
  // method runs (early VMStart), else at VMInit.
  Status define_probe(JNIEnv* jni);
  // VMInit: defines the natives' class, binds them to `recorder`, reserves the table, and starts
  // recording. `recorder` must outlive the JVM.
  Status start(jvmtiEnv* jvmti, JNIEnv* jni, Recorder& recorder, std::uint64_t packet_bytes);

  // The header of a thread; null when it has none. Callable from event callbacks on any thread.
  ThreadHeader* header_of(JNIEnv* jni, jthread thread) const;
  // Unbinds a thread that ended from its header.
  void forget(JNIEnv* jni, jthread thread) const;

 private:
  std::uint64_t* table_slot(jlong thread_id) const;

  HeaderAccess access_;
  jclass probe_ = nullptr;           // global reference
  jfieldID thread_field_ = nullptr;  // Thread.tid or the added field
  std::uint64_t headers_ = 0;        // address of the recorder's header region
  std::uint64_t* table_ = nullptr;   // by thread id: number of the header in it
  std::uint64_t table_entries_ = 0;
};

}  // namespace copse
