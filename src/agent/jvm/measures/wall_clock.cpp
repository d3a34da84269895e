#include "agent/jvm/measures/wall_clock.h"

#include <algorithm>
#include <atomic>
#include <ctime>
#include <exception>
#include <random>
#include <utility>

#include "agent/jvm/local_frame.h"
#include "agent/jvm/measures/contention.h"
#include "agent/jvm/runtime/unrecorded.h"
#include "agent/measure_notes.h"
#include "base/grouped.h"
#include "shadowstack/sampling/cpu_timers.h"

namespace copse::jvm {
namespace {

WallClock::State state_of(jint flags) noexcept {
  if ((flags & JVMTI_THREAD_STATE_BLOCKED_ON_MONITOR_ENTER) != 0) return WallClock::kBlocked;
  if ((flags & JVMTI_THREAD_STATE_SLEEPING) != 0) return WallClock::kSleeping;
  if ((flags & JVMTI_THREAD_STATE_PARKED) != 0) return WallClock::kParked;
  if ((flags & JVMTI_THREAD_STATE_WAITING) != 0) return WallClock::kWaiting;
  return (flags & JVMTI_THREAD_STATE_IN_NATIVE) != 0 ? WallClock::kNative : WallClock::kRunnable;
}

// 2.06 -> "2.1".
std::string in_tenths(double number) {
  const auto tenths = static_cast<std::uint64_t>(10 * number + 0.5);
  return grouped(tenths / 10) + "." + std::to_string(tenths % 10);
}

}  // namespace

std::vector<std::string> WallClock::notes() const {
  const auto looks = static_cast<double>(std::max<std::uint64_t>(looks_, 1));
  const double passed_ns = std::max(1.0, static_cast<double>(passed_.count()));
  const bool all = agent::measures(run_.options, "wall");
  return {std::string(all ? "Wall-clock time" : "Time parked") +
          " is that of threads in which calls were recorded. They were looked at " +
          counted(looks_, "time") + ", every " + in_tenths(passed_ns / looks / 1e6) +
          " ms on the average and at most " +
          in_tenths(static_cast<double>(longest_.count()) / 1e6) + " ms apart, which took " +
          in_tenths(100 * static_cast<double>(used_ns_) / passed_ns) + " % of a processor. " +
          std::string(agent::kErrorOfSamples) +
          (all ? " A runnable thread runs or waits for a processor." : "")};
}

void WallClock::find_fields(JNIEnv* jni) {
  const jclass thread = jni->FindClass("java/lang/Thread");
  if (thread == nullptr) return jni->ExceptionClear();
  blocker_ = jni->GetFieldID(thread, "parkBlocker", "Ljava/lang/Object;");
  if (jni->ExceptionCheck()) jni->ExceptionClear();  // a JVM without it, as below
  holder_ = jni->GetFieldID(thread, "holder", "Ljava/lang/Thread$FieldHolder;");
  if (jni->ExceptionCheck()) jni->ExceptionClear();
  // The status has the bits that JVMTI tells of, but for what only the JVM's own thread has.
  const jclass owner = holder_ == nullptr ? thread : jni->FindClass("java/lang/Thread$FieldHolder");
  if (owner != nullptr) status_ = jni->GetFieldID(owner, "threadStatus", "I");
  if (jni->ExceptionCheck()) jni->ExceptionClear();
  const jclass handler = jni->FindClass("java/lang/ref/Reference$ReferenceHandler");
  if (jni->ExceptionCheck()) jni->ExceptionClear();
  if (handler != nullptr) reference_handler_ = static_cast<jclass>(jni->NewGlobalRef(handler));
}

Status WallClock::start_looking(JNIEnv* jni) {
  {
    const Unrecorded unrecorded(run_.jvm.runtime, run_.jvmti, jni);
    find_fields(jni);
  }
  if (!run_.jvm.own_threads.start(run_.jvm.runtime, run_.jvmti, jni, "copse-wall", main, this)) {
    return Status::error(Fault::kSystem, "measure wall: the agent's thread cannot be started");
  }
  std::unique_lock lock(mutex_);
  wake_.wait(lock, [this] { return is_running_; });
  return {};
}

void WallClock::stop() noexcept {
  std::unique_lock lock(mutex_);
  is_stopped_ = true;
  wake_.notify_all();
  wake_.wait(lock, [this] { return !is_running_; });
}

void JNICALL WallClock::main(jvmtiEnv*, JNIEnv* jni, void* self) {
  static_cast<WallClock*>(self)->run(jni);
}

void WallClock::run(JNIEnv* jni) noexcept {
  std::unique_lock lock(mutex_);
  is_running_ = true;
  wake_.notify_all();
  Clock::time_point before = Clock::now();
  std::uint64_t used = sampling::clock_ns(CLOCK_THREAD_CPUTIME_ID);
  // At no fixed period, or a program that has one would always be met at the same places.
  std::minstd_rand random(static_cast<std::uint32_t>(before.time_since_epoch().count()));
  std::uniform_real_distribution<double> jitter(0.5, 1.5);
  const auto next_wait = [&] {
    const double period = std::max(static_cast<double>(kShortestPeriod.count()),
                                   cost_ns_ * static_cast<double>(kPartOfProcessor));
    return std::chrono::nanoseconds(static_cast<std::int64_t>(jitter(random) * period));
  };
  while (!wake_.wait_for(lock, next_wait(), [this] { return is_stopped_; })) {
    lock.unlock();
    const Clock::time_point now = Clock::now();
    const auto passed = std::chrono::duration_cast<std::chrono::nanoseconds>(now - before);
    before = now;
    try {
      look(jni, static_cast<std::uint64_t>(passed.count()));
    } catch (const std::exception&) {
      // No memory for this one; there may be for the next.
    }
    const std::uint64_t used_before =
        std::exchange(used, sampling::clock_ns(CLOCK_THREAD_CPUTIME_ID));
    lock.lock();
    learn_from_look(passed, used - used_before);
  }
  sink_.end();
  is_running_ = false;
  wake_.notify_all();
}

// From no cost at the beginning, as the first looks cost more than those that follow.
void WallClock::learn_from_look(std::chrono::nanoseconds passed, std::uint64_t used_ns) noexcept {
  constexpr double kWeightOfLast = 1.0 / 8;
  ++looks_;
  passed_ += passed;
  longest_ = std::max(longest_, passed);
  used_ns_ += used_ns;
  cost_ns_ += kWeightOfLast * (static_cast<double>(used_ns) - cost_ns_);
}

void WallClock::look(JNIEnv* jni, std::uint64_t ns) {
  jint threads = 0;
  jthread* all = nullptr;
  const LocalFrame frame(jni);
  if (run_.jvmti->GetAllThreads(&threads, &all) != JVMTI_ERROR_NONE) return;
  ++look_;
  for (jint i = 0; i < threads; ++i) {
    look_at_platform(jni, all[i], ns);
  }
  run_.jvmti->Deallocate(reinterpret_cast<unsigned char*>(all));
  for (const shadowstack::ThreadHeader* header : run_.jvm.runtime.headers_of_virtual_threads()) {
    look_at_virtual(jni, *header, ns);
  }
  std::erase_if(asked_, [this](const auto& entry) { return entry.second.look != look_; });
  sink_.end_look();
}

// Skips threads that made no recorded call: most of them are the JVM's.
void WallClock::look_at_platform(JNIEnv* jni, jthread thread, std::uint64_t ns) {
  const shadowstack::ThreadHeader* const header = run_.jvm.runtime.header_of(jni, thread);
  if (header == nullptr) return;
  const std::atomic_ref<const std::uint64_t> carried(header->mounted);
  if (carried.load(std::memory_order_relaxed) != 0) return;
  look_at(jni, {thread, *header, kRunnable, nullptr, ns}, false);
}

void WallClock::look_at_virtual(JNIEnv* jni, const shadowstack::ThreadHeader& header,
                                std::uint64_t ns) {
  const jthread thread = run_.jvm.runtime.virtual_thread_of(jni, header);
  if (thread == nullptr) return;
  look_at(jni, {thread, header, kRunnable, nullptr, ns}, true);
  jni->DeleteLocalRef(thread);
}

// A virtual thread has no holder. Of one that seems to run the JVM knows whether it is in native code.
bool WallClock::tell_state(JNIEnv* jni, jthread thread, jint& flags) const {
  if (status_ != nullptr) {
    const jobject owner = holder_ == nullptr ? thread : jni->GetObjectField(thread, holder_);
    flags = owner == nullptr ? 0 : jni->GetIntField(owner, status_);
    if (holder_ != nullptr && owner != nullptr) jni->DeleteLocalRef(owner);
    const bool waits = (flags & JVMTI_THREAD_STATE_RUNNABLE) == 0;
    if (waits && (flags & JVMTI_THREAD_STATE_ALIVE) != 0) return true;
  }
  return run_.jvmti->GetThreadState(thread, &flags) == JVMTI_ERROR_NONE;
}

// A virtual thread that sleeps is parked, for the JVM; and so without a reason.
void WallClock::look_at(JNIEnv* jni, Seen seen, bool is_virtual) {
  jint flags = 0;
  if (!tell_state(jni, seen.thread, flags)) return;
  if (state_of(flags) == kBlocked) {
    seen.entered = entered_method(run_.jvmti, seen.thread);
    // It may have gone on meanwhile.
    if (!tell_state(jni, seen.thread, flags)) return;
    if (state_of(flags) != kBlocked) seen.entered = nullptr;
  }
  seen.state = state_of(flags);
  if (seen.state == kParked) {
    if (blocker_ != nullptr) seen.blocker = jni->GetObjectField(seen.thread, blocker_);
    if (is_virtual && seen.blocker == nullptr && sleeps(jni, seen)) seen.state = kSleeping;
  }
  if (seen.state == kRunnable && waits_for_references(jni, seen)) seen.state = kWaiting;
  if (sink_.wants(seen.state)) sink_.see(jni, seen);
  if (seen.blocker != nullptr) jni->DeleteLocalRef(seen.blocker);
}

// The JVM says that the thread which hands out references runs while it waits for some, inside the JVM. Calls are
// recorded in it with the JDK alone.
bool WallClock::waits_for_references(JNIEnv* jni, const Seen& runs) {
  if (reference_handler_ == nullptr ||
      jni->IsInstanceOf(runs.thread, reference_handler_) == JNI_FALSE) {
    return false;
  }
  const shadowstack::ThreadPlace place =
      shadowstack::place_of(runs.header, run_.jvm.runtime.word_of(jni, runs.thread, &runs.header));
  return std::exchange(handlers_place_, place) == place;
}

// Its stack tells, which takes longer than all the rest: so it is asked once for as long as the thread does
// not move.
bool WallClock::sleeps(JNIEnv* jni, const Seen& parked) {
  const shadowstack::ThreadPlace place = shadowstack::place_of(
      parked.header, run_.jvm.runtime.word_of(jni, parked.thread, &parked.header));
  const auto [entry, is_new] = asked_.try_emplace(&parked.header);
  Asked& asked = entry->second;
  if (is_new || asked.place != place) {
    asked.place = place;
    asked.sleeps = is_in_sleep(jni, parked.thread);
  }
  asked.look = look_;
  return asked.sleeps;
}

bool WallClock::is_in_sleep(JNIEnv* jni, jthread virtual_thread) {
  constexpr jint kDeepest = 16;  // below it there is what the program called
  if (!std::exchange(has_looked_for_sleep_, true)) {
    const jclass type = jni->GetObjectClass(virtual_thread);
    sleep_ = jni->GetMethodID(type, "sleepNanos", "(J)V");
    if (jni->ExceptionCheck()) jni->ExceptionClear();  // a JVM without it
    jni->DeleteLocalRef(type);
  }
  std::array<jvmtiFrameInfo, kDeepest> frames{};
  jint count = 0;
  if (sleep_ == nullptr || run_.jvmti->GetStackTrace(virtual_thread, 0, kDeepest, frames.data(),
                                                     &count) != JVMTI_ERROR_NONE) {
    return false;
  }
  return std::any_of(frames.begin(), frames.begin() + count,
                     [this](const jvmtiFrameInfo& frame) { return frame.method == sleep_; });
}

}  // namespace copse::jvm
