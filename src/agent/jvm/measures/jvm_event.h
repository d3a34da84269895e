// A kind of events that the JVM reports, and that is counted in the contexts of its threads (jvm_events.h). Each is a
// constant in a file of its own.
#pragma once

#include <jvmti.h>

#include <span>

#include "base/status.h"
#include "encoders/events/event_kind.h"

namespace copse::jvm {

struct JvmEvent {
  events::EventKind kind;
  std::span<const jvmtiEvent> events;
  // Sets the capabilities that the JVM must have for it.
  void (*need)(jvmtiCapabilities& capabilities);
  // Sets the callbacks of `events`.
  void (*set_callbacks)(jvmtiEventCallbacks& callbacks);
  // Called before the events are enabled. nullptr: nothing is to be done.
  Status (*prepare)(jvmtiEnv* jvmti) = nullptr;
};

}  // namespace copse::jvm
