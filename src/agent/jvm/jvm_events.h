// Events of interest that the JVM tells of, each counted in the context its thread stands in.
//
//   exception    every throw (Exception); so finally and synchronized blocks, which javac compiles
//                to a handler that throws again, count again what passes through them
//   allocation   sampled allocations (SampledObjectAlloc); the weight is what the sample stands for
//   contention   waits for a monitor another thread holds; the weight is the time waited
//
// Called by: the thread the event is of, from event callbacks.
#pragma once

#include <jvmti.h>

#include <cstdint>
#include <vector>

#include "agent/jvm/hook/recorded_methods.h"
#include "agent/jvm/measures/event_objects.h"
#include "agent/jvm/runtime/runtime_class.h"
#include "base/status.h"
#include "encoders/events/event_kind.h"
#include "shadowstack/thread_header.h"

namespace copse::jvm {

// Who counts them. Called by: the thread the event is of.
class EventSink {
 public:
  virtual ~EventSink() = default;
  // `word`: the thread's context word. `header`: the thread's, or null. `object`: what the event is
  // about; kNoMethod: not known, or objects() is null.
  virtual void add(events::EventKind kind, std::uint64_t word, shadowstack::ThreadHeader* header,
                   std::uint64_t weight, MethodId object) = 0;
  // Null: who counts does not tell events apart by their objects.
  virtual EventObjects* objects() noexcept { return nullptr; }
  // An event that there was no memory for.
  virtual void lose(events::EventKind) noexcept {}
  // What the word becomes when the method is entered.
  virtual std::uint64_t word_in(MethodId callee, std::uint64_t word,
                                shadowstack::ThreadHeader& header) = 0;
};

class JvmEvents {
 public:
  // `kinds`: of these, those as above are told.
  JvmEvents(jvmtiEnv* jvmti, EventSink& sink, const RuntimeClass& runtime, RecordedMethods& methods,
            std::vector<events::EventKind> kinds);

  const std::vector<events::EventKind>& kinds() const noexcept { return kinds_; }

  // Agent_OnLoad, or at each attach: asks for what the kinds need. The error says what this JVM lacks.
  Status add_capabilities(jvmtiEnv* jvmti) const;
  // Recording has started.
  Status enable(jvmtiEnv* jvmti) const;
  // It has ended.
  void disable(jvmtiEnv* jvmti) const noexcept;

  // Where it was thrown.
  struct Thrown {
    jobject exception;
    jmethodID method;
    jlocation location;
  };
  void exception(JNIEnv* jni, jthread thread, const Thrown& thrown);
  void allocation(JNIEnv* jni, jthread thread, jclass type, jlong bytes);
  void contended_enter() noexcept;
  void contended_entered(JNIEnv* jni, jthread thread, jobject monitor);

 private:
  bool wants(events::EventKind kind) const noexcept;
  std::vector<jvmtiEvent> events() const;
  std::uint64_t word_at_monitor(JNIEnv* jni, jthread thread, shadowstack::ThreadHeader* header);

  jvmtiEnv* const jvmti_;
  EventSink& sink_;
  const RuntimeClass& runtime_;
  RecordedMethods& methods_;
  const std::vector<events::EventKind> kinds_;
};

}  // namespace copse::jvm
