#include "agent/jvm/jvm_events.h"

#include <algorithm>
#include <chrono>
#include <utility>

namespace copse::jvm {
namespace {

// Bytes a thread allocates between two samples, on average.
constexpr jint kSamplingInterval = 512 * 1024;

constexpr jint kAccSynchronized = 0x0020;

thread_local std::chrono::steady_clock::time_point t_contended_since;

}  // namespace

JvmEvents::JvmEvents(jvmtiEnv* jvmti, EventSink& sink, const RuntimeClass& runtime,
                     RecordedMethods& methods, std::vector<events::EventKind> kinds)
    : jvmti_(jvmti), sink_(sink), runtime_(runtime), methods_(methods), kinds_(std::move(kinds)) {}

bool JvmEvents::wants(events::EventKind kind) const noexcept {
  return std::find(kinds_.begin(), kinds_.end(), kind) != kinds_.end();
}

Status JvmEvents::add_capabilities(jvmtiEnv* jvmti) const {
  jvmtiCapabilities capabilities{};
  capabilities.can_generate_exception_events = wants(events::EventKind::kException) ? 1 : 0;
  capabilities.can_generate_sampled_object_alloc_events =
      wants(events::EventKind::kAllocation) ? 1 : 0;
  capabilities.can_get_line_numbers = capabilities.can_generate_exception_events;
  capabilities.can_generate_monitor_events = wants(events::EventKind::kContention) ? 1 : 0;
  if (jvmti->AddCapabilities(&capabilities) != JVMTI_ERROR_NONE) {
    return Status::error(
        Fault::kUnsupported,
        "events: this JVM, or another agent in it, does not tell of all that are to be counted");
  }
  return {};
}

std::vector<jvmtiEvent> JvmEvents::events() const {
  std::vector<jvmtiEvent> events;
  if (wants(events::EventKind::kException)) events.push_back(JVMTI_EVENT_EXCEPTION);
  if (wants(events::EventKind::kAllocation)) events.push_back(JVMTI_EVENT_SAMPLED_OBJECT_ALLOC);
  if (wants(events::EventKind::kContention)) {
    events.push_back(JVMTI_EVENT_MONITOR_CONTENDED_ENTER);
    events.push_back(JVMTI_EVENT_MONITOR_CONTENDED_ENTERED);
  }
  return events;
}

Status JvmEvents::enable(jvmtiEnv* jvmti) const {
  if (wants(events::EventKind::kAllocation) &&
      jvmti->SetHeapSamplingInterval(kSamplingInterval) != JVMTI_ERROR_NONE) {
    return Status::error(Fault::kUnsupported, "this JVM: refuses to sample allocations");
  }
  for (const jvmtiEvent event : events()) {
    if (jvmti->SetEventNotificationMode(JVMTI_ENABLE, event, nullptr) != JVMTI_ERROR_NONE) {
      return Status::error(Fault::kUnsupported, "this JVM: refuses event " + std::to_string(event));
    }
  }
  return {};
}

void JvmEvents::disable(jvmtiEnv* jvmti) const noexcept {
  for (const jvmtiEvent event : events()) {
    jvmti->SetEventNotificationMode(JVMTI_DISABLE, event, nullptr);
  }
}

// A probe that ends a frame throws the exception again, and says so in the header.
void JvmEvents::exception(JNIEnv* jni, jthread thread, const Thrown& thrown) {
  if (RuntimeClass::Unrecorded::holds()) return;
  shadowstack::ThreadHeader* header = runtime_.header_of(jni, thread);
  if (header != nullptr) {
    std::atomic_ref<std::uint64_t> rethrows(header->rethrows);
    if (rethrows.load(std::memory_order_relaxed) != 0) {
      return rethrows.store(0, std::memory_order_relaxed);
    }
  }
  EventObjects* const objects = sink_.objects();
  const MethodId object =
      objects == nullptr ? kNoMethod
                         : objects->thrown(jni, thrown.exception, thrown.method, thrown.location);
  sink_.add(events::EventKind::kException, runtime_.word_of(jni, thread, header), header, 0,
            object);
}

// The JVM samples bytes, not objects: an object larger than the interval is always met, one that is
// smaller stands for an interval's worth.
void JvmEvents::allocation(JNIEnv* jni, jthread thread, jclass type, jlong bytes) {
  if (RuntimeClass::Unrecorded::holds()) return;
  shadowstack::ThreadHeader* const header = runtime_.header_of(jni, thread);
  EventObjects* const objects = sink_.objects();
  sink_.add(events::EventKind::kAllocation, runtime_.word_of(jni, thread, header), header,
            static_cast<std::uint64_t>(std::max<jlong>(bytes, kSamplingInterval)),
            objects == nullptr ? kNoMethod : objects->allocated(type));
}

void JvmEvents::contended_enter() noexcept { t_contended_since = std::chrono::steady_clock::now(); }

void JvmEvents::contended_entered(JNIEnv* jni, jthread thread, jobject monitor) {
  const auto waited = std::chrono::steady_clock::now() - t_contended_since;
  shadowstack::ThreadHeader* header = runtime_.header_of(jni, thread);
  const auto ns = std::chrono::duration_cast<std::chrono::nanoseconds>(waited).count();
  EventObjects* const objects = sink_.objects();
  sink_.add(events::EventKind::kContention, word_at_monitor(jni, thread, header), header,
            static_cast<std::uint64_t>(ns),
            objects == nullptr ? kNoMethod : objects->waited_for(jni, monitor));
}

// A synchronized method waits before its entry probe runs: the word is still its caller's, and from
// it comes the method's own.
std::uint64_t JvmEvents::word_at_monitor(JNIEnv* jni, jthread thread,
                                         shadowstack::ThreadHeader* header) {
  const std::uint64_t word = runtime_.word_of(jni, thread, header);
  jmethodID method = nullptr;
  jlocation location = 0;
  jint modifiers = 0;
  const bool before_entry =
      header != nullptr &&
      jvmti_->GetFrameLocation(nullptr, 0, &method, &location) == JVMTI_ERROR_NONE &&
      location <= 0 && jvmti_->GetMethodModifiers(method, &modifiers) == JVMTI_ERROR_NONE &&
      (modifiers & kAccSynchronized) != 0;
  if (!before_entry) return word;
  const MethodId id = methods_.id_of(jni, method);
  if (id == kNoMethod) return word;
  return sink_.word_in(id, word, *header);
}

}  // namespace copse::jvm
