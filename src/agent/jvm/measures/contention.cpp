#include "agent/jvm/measures/contention.h"

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <new>
#include <optional>
#include <unordered_map>

#include "agent/jvm/jvm_events.h"

namespace copse::jvm {
namespace {

constexpr jint kAccSynchronized = 0x0020;

using Clock = std::chrono::steady_clock;

// Times at which threads began to wait, by the JVM's ids of the threads: a virtual thread may wake on another carrier
// than it fell asleep on. Thread-safe.
class WaitsBegun {
 public:
  // Without memory the wait is not known.
  void begin(std::int64_t thread) noexcept {
    Part& part = part_of(thread);
    const std::lock_guard lock(part.mutex);
    try {
      part.since.insert_or_assign(thread, Clock::now());
    } catch (const std::bad_alloc&) {
      part.since.erase(thread);
    }
  }
  // Returns when the thread's wait began; std::nullopt if that was before recording.
  std::optional<Clock::time_point> end(std::int64_t thread) noexcept {
    Part& part = part_of(thread);
    const std::lock_guard lock(part.mutex);
    const auto found = part.since.find(thread);
    if (found == part.since.end()) return std::nullopt;
    const Clock::time_point since = found->second;
    part.since.erase(found);
    return since;
  }
  void clear() noexcept {
    for (Part& part : parts_) {
      const std::lock_guard lock(part.mutex);
      part.since.clear();
    }
  }

 private:
  struct alignas(64) Part {
    std::mutex mutex;
    std::unordered_map<std::int64_t, Clock::time_point> since;  // guarded by mutex
  };
  Part& part_of(std::int64_t thread) noexcept {
    return parts_[static_cast<std::uint64_t>(thread) % parts_.size()];
  }

  std::array<Part, 64> parts_;
};

// Never destroyed: threads wait until the process is gone.
WaitsBegun& waits_begun() {
  static WaitsBegun& waits = *new WaitsBegun;
  return waits;
}

// A synchronized method waits before its entry probe runs: the word is still its caller's, and from
// it comes the method's own.
std::uint64_t word_at_monitor(JvmEvents& events, JNIEnv* jni, const JvmEvents::Where& where) {
  const jmethodID method =
      where.header == nullptr ? nullptr : entered_method(events.jvmti(), nullptr);
  const MethodId id = method == nullptr ? kNoMethod : events.methods().id_of(jni, method);
  return id == kNoMethod ? where.word : events.sink().word_in(id, where.word, *where.header);
}

void count_wait(JvmEvents& events, JNIEnv* jni, jthread thread, jobject monitor) {
  const std::optional<Clock::time_point> since = waits_begun().end(events.id_of(jni, thread));
  if (!since) return;
  const auto waited = Clock::now() - *since;
  const auto ns = std::chrono::duration_cast<std::chrono::nanoseconds>(waited).count();
  const JvmEvents::Where where = events.where(jni, thread);
  EventObjects* const objects = events.sink().objects();
  events.sink().add(events::EventKind::kContention, word_at_monitor(events, jni, where),
                    where.header, static_cast<std::uint64_t>(ns),
                    objects == nullptr ? kNoMethod : objects->waited_for(jni, monitor));
}

void JNICALL MonitorContendedEnter(jvmtiEnv*, JNIEnv* jni, jthread thread, jobject) {
  count_event("contention",
              [&](JvmEvents& events) { waits_begun().begin(events.id_of(jni, thread)); });
}

void JNICALL MonitorContendedEntered(jvmtiEnv*, JNIEnv* jni, jthread thread, jobject monitor) {
  count_event("contention", [&](JvmEvents& events) { count_wait(events, jni, thread, monitor); });
}

constexpr jvmtiEvent kReportedWaits[] = {JVMTI_EVENT_MONITOR_CONTENDED_ENTER,
                                         JVMTI_EVENT_MONITOR_CONTENDED_ENTERED};

}  // namespace

jmethodID entered_method(jvmtiEnv* jvmti, jthread thread) {
  jmethodID method = nullptr;
  jlocation location = 0;
  jint modifiers = 0;
  const bool is_before_entry =
      jvmti->GetFrameLocation(thread, 0, &method, &location) == JVMTI_ERROR_NONE && location <= 0 &&
      jvmti->GetMethodModifiers(method, &modifiers) == JVMTI_ERROR_NONE &&
      (modifiers & kAccSynchronized) != 0;
  return is_before_entry ? method : nullptr;
}

constinit const JvmEvent kContention = {
    .kind = events::EventKind::kContention,
    .events = kReportedWaits,
    .need = [](jvmtiCapabilities& capabilities) { capabilities.can_generate_monitor_events = 1; },
    .set_callbacks =
        [](jvmtiEventCallbacks& callbacks) {
          callbacks.MonitorContendedEnter = MonitorContendedEnter;
          callbacks.MonitorContendedEntered = MonitorContendedEntered;
        },
    .prepare =
        [](jvmtiEnv*) {
          waits_begun().clear();  // those of an earlier recording
          return Status();
        }};

}  // namespace copse::jvm
