#include "agent/jvm/measures/contention.h"

#include <chrono>

#include "agent/jvm/jvm_events.h"

namespace copse::jvm {
namespace {

constexpr jint kAccSynchronized = 0x0020;

thread_local std::chrono::steady_clock::time_point t_contended_since;

// Returns the synchronized method that the thread is about to enter; nullptr if there is none.
jmethodID entered_method(jvmtiEnv* jvmti) {
  jmethodID method = nullptr;
  jlocation location = 0;
  jint modifiers = 0;
  const bool is_before_entry =
      jvmti->GetFrameLocation(nullptr, 0, &method, &location) == JVMTI_ERROR_NONE &&
      location <= 0 && jvmti->GetMethodModifiers(method, &modifiers) == JVMTI_ERROR_NONE &&
      (modifiers & kAccSynchronized) != 0;
  return is_before_entry ? method : nullptr;
}

// A synchronized method waits before its entry probe runs: the word is still its caller's, and from
// it comes the method's own.
std::uint64_t word_at_monitor(JvmEvents& events, JNIEnv* jni, const JvmEvents::Where& where) {
  const jmethodID method = where.header == nullptr ? nullptr : entered_method(events.jvmti());
  const MethodId id = method == nullptr ? kNoMethod : events.methods().id_of(jni, method);
  return id == kNoMethod ? where.word : events.sink().word_in(id, where.word, *where.header);
}

void count_wait(JvmEvents& events, JNIEnv* jni, jthread thread, jobject monitor) {
  const auto waited = std::chrono::steady_clock::now() - t_contended_since;
  const auto ns = std::chrono::duration_cast<std::chrono::nanoseconds>(waited).count();
  const JvmEvents::Where where = events.where(jni, thread);
  EventObjects* const objects = events.sink().objects();
  events.sink().add(events::EventKind::kContention, word_at_monitor(events, jni, where),
                    where.header, static_cast<std::uint64_t>(ns),
                    objects == nullptr ? kNoMethod : objects->waited_for(jni, monitor));
}

void JNICALL MonitorContendedEnter(jvmtiEnv*, JNIEnv*, jthread, jobject) {
  t_contended_since = std::chrono::steady_clock::now();
}

void JNICALL MonitorContendedEntered(jvmtiEnv*, JNIEnv* jni, jthread thread, jobject monitor) {
  count_event("contention", [&](JvmEvents& events) { count_wait(events, jni, thread, monitor); });
}

constexpr jvmtiEvent kReportedWaits[] = {JVMTI_EVENT_MONITOR_CONTENDED_ENTER,
                                         JVMTI_EVENT_MONITOR_CONTENDED_ENTERED};

}  // namespace

constinit const JvmEvent kContention = {
    .kind = events::EventKind::kContention,
    .events = kReportedWaits,
    .need = [](jvmtiCapabilities& capabilities) { capabilities.can_generate_monitor_events = 1; },
    .set_callbacks =
        [](jvmtiEventCallbacks& callbacks) {
          callbacks.MonitorContendedEnter = MonitorContendedEnter;
          callbacks.MonitorContendedEntered = MonitorContendedEntered;
        }};

}  // namespace copse::jvm
