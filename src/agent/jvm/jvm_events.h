// Events of interest that the JVM reports, each counted in the context of its thread.
//
//   exception    every throw (Exception). A `finally` or synchronized block, which javac compiles to a
//                handler that throws again, counts each exception that passes through it again
//   allocation   sampled allocations (SampledObjectAlloc); the weight is the bytes that the sample stands for
//   contention   waits for a monitor another thread holds; the weight is the time waited
//
// Called by: the thread of the event, from event callbacks.
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

// Receiver of events. Called by: the thread of the event.
class EventSink {
 public:
  virtual ~EventSink() = default;
  // Counts an event. `word`: the thread's context word. `header`: the thread's header; nullptr if none.
  // `object`: the event's object; kNoMethod if unknown, or objects() is nullptr.
  virtual void add(events::EventKind kind, std::uint64_t word, shadowstack::ThreadHeader* header,
                   std::uint64_t weight, MethodId object) = 0;
  // Returns nullptr if the sink does not tell events apart by their objects.
  virtual EventObjects* objects() noexcept { return nullptr; }
  // Counts an event that is lost for lack of memory.
  virtual void lose(events::EventKind) noexcept {}
  // Returns the word after `callee` is entered.
  virtual std::uint64_t word_in(MethodId callee, std::uint64_t word,
                                shadowstack::ThreadHeader& header) = 0;
};

class JvmEvents {
 public:
  // `kinds`: the kinds to report. Only the kinds listed at the top of this file are.
  JvmEvents(jvmtiEnv* jvmti, EventSink& sink, const RuntimeClass& runtime, RecordedMethods& methods,
            std::vector<events::EventKind> kinds);

  const std::vector<events::EventKind>& kinds() const noexcept { return kinds_; }

  // Asks for the capabilities that the kinds need, in Agent_OnLoad or at each attach. The error names what this
  // JVM lacks.
  Status add_capabilities(jvmtiEnv* jvmti) const;
  // Enables the events. REQUIRES: recording has started.
  Status enable(jvmtiEnv* jvmti) const;
  // Disables the events when recording has ended.
  void disable(jvmtiEnv* jvmti) const noexcept;

  // An exception and the place of its throw.
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
