// Events of interest that the JVM tells of, each counted in the context its thread stands in.
//
//   exception    every throw (Exception); so finally and synchronized blocks, which javac compiles
//   to
//                a handler that throws again, count again what passes through them
//   allocation   sampled allocations (SampledObjectAlloc); the weight is what the sample stands for
//   contention   waits for a monitor another thread holds; the weight is the time waited
//
// Called by: the thread the event is of, from event callbacks.
#pragma once

#include <jvmti.h>

#include <string>
#include <vector>

#include "agent/jvm/recorded_methods.h"
#include "agent/jvm/runtime/runtime_class.h"
#include "base/status.h"
#include "context_id/context_ids.h"

namespace copse::jvm {

class IdEvents {
 public:
  // `kinds`: names as above, and no others.
  IdEvents(jvmtiEnv* jvmti, context_id::ContextIds& ids, const RuntimeClass& runtime,
           RecordedMethods& methods, const std::vector<std::string>& kinds);

  const std::vector<events::EventKind>& kinds() const noexcept { return kinds_; }

  // Agent_OnLoad: asks for what the kinds need. The error says what this JVM lacks.
  Status add_capabilities(jvmtiEnv* jvmti) const;
  // Recording has started.
  Status enable(jvmtiEnv* jvmti) const;
  // It has ended.
  void disable(jvmtiEnv* jvmti) const noexcept;

  void exception(JNIEnv* jni, jthread thread);
  void allocation(JNIEnv* jni, jthread thread, jlong bytes);
  void contended_enter() noexcept;
  void contended_entered(JNIEnv* jni, jthread thread);

 private:
  bool wants(events::EventKind kind) const noexcept;
  std::vector<jvmtiEvent> events() const;
  // `header`: the thread's, or null.
  void add(events::EventKind kind, std::uint64_t word, const shadowstack::ThreadHeader* header,
           std::uint64_t weight);
  std::uint64_t word_at_monitor(JNIEnv* jni, jthread thread,
                                const shadowstack::ThreadHeader* header);

  jvmtiEnv* const jvmti_;
  context_id::ContextIds& ids_;
  const RuntimeClass& runtime_;
  RecordedMethods& methods_;
  std::vector<events::EventKind> kinds_;
};

}  // namespace copse::jvm
