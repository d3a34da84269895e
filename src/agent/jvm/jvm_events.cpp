#include "agent/jvm/jvm_events.h"

#include <algorithm>
#include <utility>

#include "agent/jvm/measures/contention.h"
#include "agent/jvm/measures/exceptions.h"
#include "agent/jvm/measures/sampled_allocations.h"

namespace copse::jvm {
namespace {

constexpr const JvmEvent* kJvmEvents[] = {&kExceptions, &kSampledAllocations, &kContention};

}  // namespace

JvmEvents::JvmEvents(jvmtiEnv* jvmti, EventSink& sink, const RuntimeClass& runtime,
                     RecordedMethods& methods, std::vector<events::EventKind> kinds)
    : jvmti_(jvmti), sink_(sink), runtime_(runtime), methods_(methods), kinds_(std::move(kinds)) {}

bool JvmEvents::wants(events::EventKind kind) const noexcept {
  return std::find(kinds_.begin(), kinds_.end(), kind) != kinds_.end();
}

void JvmEvents::set_callbacks(jvmtiEventCallbacks& callbacks) {
  for (const JvmEvent* event : kJvmEvents) event->set_callbacks(callbacks);
}

Status JvmEvents::add_capabilities(jvmtiEnv* jvmti) const {
  jvmtiCapabilities capabilities{};
  for (const JvmEvent* event : kJvmEvents) {
    if (wants(event->kind)) event->need(capabilities);
  }
  if (jvmti->AddCapabilities(&capabilities) != JVMTI_ERROR_NONE) {
    return Status::error(
        Fault::kUnsupported,
        "events: this JVM, or another agent in it, does not tell of all that are to be counted");
  }
  return {};
}

Status JvmEvents::enable(jvmtiEnv* jvmti) const {
  for (const JvmEvent* event : kJvmEvents) {
    if (!wants(event->kind)) continue;
    if (event->prepare != nullptr) {
      if (Status status = event->prepare(jvmti); !status) return status;
    }
    for (const jvmtiEvent one : event->events) {
      if (jvmti->SetEventNotificationMode(JVMTI_ENABLE, one, nullptr) != JVMTI_ERROR_NONE) {
        return Status::error(Fault::kUnsupported, "this JVM: refuses event " + std::to_string(one));
      }
    }
  }
  return {};
}

void JvmEvents::disable(jvmtiEnv* jvmti) const noexcept {
  for (const JvmEvent* event : kJvmEvents) {
    if (!wants(event->kind)) continue;
    for (const jvmtiEvent one : event->events) {
      jvmti->SetEventNotificationMode(JVMTI_DISABLE, one, nullptr);
    }
  }
}

}  // namespace copse::jvm
