// Events of interest that the JVM reports, each counted in the context of its thread. jvm_events.cpp lists their kinds
// (measures/jvm_event.h).
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
  // `kinds`: the kinds to report. Kinds that are no events of the JVM are ignored.
  JvmEvents(jvmtiEnv* jvmti, EventSink& sink, const RuntimeClass& runtime, RecordedMethods& methods,
            std::vector<events::EventKind> kinds);

  const std::vector<events::EventKind>& kinds() const noexcept { return kinds_; }

  // Sets the callbacks of all events of the JVM.
  static void set_callbacks(jvmtiEventCallbacks& callbacks);
  // Asks for the capabilities that the kinds need, in Agent_OnLoad or at each attach. The error names what this
  // JVM lacks.
  Status add_capabilities(jvmtiEnv* jvmti) const;
  // Enables the events. REQUIRES: recording has started.
  Status enable(jvmtiEnv* jvmti) const;
  // Disables the events when recording has ended.
  void disable(jvmtiEnv* jvmti) const noexcept;

  // For callbacks:
  jvmtiEnv* jvmti() const noexcept { return jvmti_; }
  EventSink& sink() noexcept { return sink_; }
  RecordedMethods& methods() noexcept { return methods_; }
  struct Where {
    shadowstack::ThreadHeader* header;  // nullptr if none
    std::uint64_t word;
  };
  // Returns the JVM's id of the thread.
  std::int64_t id_of(JNIEnv* jni, jthread thread) const { return runtime_.id_of(jni, thread); }
  // Returns where the running thread is.
  Where where(JNIEnv* jni, jthread thread) const {
    shadowstack::ThreadHeader* const header = runtime_.header_of(jni, thread);
    return {header, runtime_.word_of(jni, thread, header)};
  }

 private:
  bool wants(events::EventKind kind) const noexcept;

  jvmtiEnv* const jvmti_;
  EventSink& sink_;
  const RuntimeClass& runtime_;
  RecordedMethods& methods_;
  const std::vector<events::EventKind> kinds_;
};

// Calls `body` with `data` and the events of the recording, if there is one (agent_main.cpp). An exception ends the
// recording. `event`: its name, for the message.
void guarded_event(const char* event, void (*body)(JvmEvents& events, void* data),
                   void* data) noexcept;

// The body of a callback.
template <typename Body>
void count_event(const char* event, Body body) noexcept {
  guarded_event(
      event, [](JvmEvents& events, void* data) { (*static_cast<Body*>(data))(events); }, &body);
}

}  // namespace copse::jvm
