#include "agent/jvm/wall_clock.h"

#include <algorithm>
#include <atomic>
#include <ctime>
#include <exception>
#include <random>

#include "sampling/cpu_timers.h"

namespace copse::jvm {
namespace {

WallClock::State state_of(jint flags) noexcept {
  if ((flags & JVMTI_THREAD_STATE_BLOCKED_ON_MONITOR_ENTER) != 0) return WallClock::kBlocked;
  if ((flags & JVMTI_THREAD_STATE_SLEEPING) != 0) return WallClock::kSleeping;
  if ((flags & JVMTI_THREAD_STATE_PARKED) != 0) return WallClock::kParked;
  if ((flags & JVMTI_THREAD_STATE_WAITING) != 0) return WallClock::kWaiting;
  return (flags & JVMTI_THREAD_STATE_IN_NATIVE) != 0 ? WallClock::kNative : WallClock::kRunning;
}

}  // namespace

std::string WallClock::note(std::string_view what) {
  constexpr std::uint64_t kFew = 10;  // whose average says little
  const std::lock_guard lock(mutex_);
  const std::uint64_t period_ms =
      looks_ < kFew ? kPeriodMs : (looked_ns_ / looks_ + 500'000) / 1'000'000;
  return std::string(what) +
         " is that of platform threads in which calls were recorded, looked at every " +
         std::to_string(period_ms) + " ms on the average.";
}

// It has the bits that JVMTI tells of, but for what only the JVM's own thread has.
void WallClock::find_status(JNIEnv* jni) {
  const jclass thread = jni->FindClass("java/lang/Thread");
  if (thread == nullptr) return jni->ExceptionClear();
  holder_ = jni->GetFieldID(thread, "holder", "Ljava/lang/Thread$FieldHolder;");
  if (jni->ExceptionCheck()) jni->ExceptionClear();
  const jclass owner = holder_ == nullptr ? thread : jni->FindClass("java/lang/Thread$FieldHolder");
  if (owner != nullptr) status_ = jni->GetFieldID(owner, "threadStatus", "I");
  if (jni->ExceptionCheck()) jni->ExceptionClear();
}

Status WallClock::start(JNIEnv* jni) {
  const RuntimeClass::Unrecorded unrecorded(run_.jvm.runtime, run_.jvmti, jni);
  find_status(jni);
  const jclass type = jni->FindClass("java/lang/Thread");
  const jmethodID make =
      type == nullptr ? nullptr : jni->GetMethodID(type, "<init>", "(Ljava/lang/String;)V");
  const jstring name = make == nullptr ? nullptr : jni->NewStringUTF("copse-wall");
  const jobject thread = name == nullptr ? nullptr : jni->NewObject(type, make, name);
  if (jni->ExceptionCheck()) jni->ExceptionClear();
  if (thread == nullptr ||
      run_.jvmti->RunAgentThread(thread, main, this, JVMTI_THREAD_NORM_PRIORITY) !=
          JVMTI_ERROR_NONE) {
    return Status::error("measure wall: the agent's thread cannot be started");
  }
  // Recording has not begun for threads that start by now, so that this one is none of the run's.
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
  // At no fixed period, or a program that has one would always be met at the same places.
  std::minstd_rand random(std::random_device{}());
  const auto wait = [&] {
    const std::uint64_t period_us = next_period_us();
    return std::chrono::microseconds(
        std::uniform_int_distribution(period_us / 2, period_us * 3 / 2)(random));
  };
  while (!wake_.wait_for(lock, wait(), [this] { return is_stopped_; })) {
    const Clock::time_point now = Clock::now();
    const auto passed = std::chrono::duration_cast<std::chrono::nanoseconds>(now - before);
    before = now;
    ++looks_;
    looked_ns_ += static_cast<std::uint64_t>(passed.count());
    lock.unlock();
    const std::uint64_t used = sampling::clock_ns(CLOCK_THREAD_CPUTIME_ID);
    try {
      look(jni, static_cast<std::uint64_t>(passed.count()));
    } catch (const std::exception&) {
      // No memory for this one; there may be for the next.
    }
    look_took_ns_ = sampling::clock_ns(CLOCK_THREAD_CPUTIME_ID) - used;
    lock.lock();
  }
  sink_.end();
  is_running_ = false;
  wake_.notify_all();
}

std::uint64_t WallClock::next_period_us() const noexcept {
  const double least_us = static_cast<double>(look_took_ns_) / kMostShare / 1000;
  return std::clamp(static_cast<std::uint64_t>(least_us), 1000 * kPeriodMs, 1000 * kMostPeriodMs);
}

void WallClock::look(JNIEnv* jni, std::uint64_t ns) {
  jint threads = 0;
  jthread* all = nullptr;
  if (run_.jvmti->GetAllThreads(&threads, &all) != JVMTI_ERROR_NONE) return;
  for (jint i = 0; i < threads; ++i) {
    look_at(jni, all[i], ns);
    jni->DeleteLocalRef(all[i]);
  }
  run_.jvmti->Deallocate(reinterpret_cast<unsigned char*>(all));
  sink_.end_look();
}

// Threads that made no recorded call are nobody's business: most of them are the JVM's.
void WallClock::look_at(JNIEnv* jni, jthread thread, std::uint64_t ns) {
  const RuntimeClass& runtime = run_.jvm.runtime;
  const shadowstack::ThreadHeader* const header = runtime.header_of(jni, thread);
  if (header == nullptr) return;
  const auto* const carried = reinterpret_cast<const shadowstack::ThreadHeader*>(
      std::atomic_ref<const std::uint64_t>(header->mounted).load(std::memory_order_relaxed));
  const jthread virtual_thread =
      carried == nullptr ? nullptr : runtime.virtual_thread_of(jni, *carried);
  if (virtual_thread == nullptr) return look_at(jni, thread, *header, ns);
  look_at(jni, virtual_thread, *carried, ns);
  jni->DeleteLocalRef(virtual_thread);
}

void WallClock::look_at(JNIEnv* jni, jthread thread, const shadowstack::ThreadHeader& header,
                        std::uint64_t ns) {
  jint flags = 0;
  if (!tell_state(jni, thread, flags)) return;
  const State state = state_of(flags);
  if (sink_.wants(state)) sink_.see(jni, {thread, header, state, ns});
}

// A virtual thread has no holder, so the JVM is asked.
bool WallClock::tell_state(JNIEnv* jni, jthread thread, jint& flags) const {
  if (status_ != nullptr) {
    const jobject owner = holder_ == nullptr ? thread : jni->GetObjectField(thread, holder_);
    flags = owner == nullptr ? 0 : jni->GetIntField(owner, status_);
    if (holder_ != nullptr && owner != nullptr) jni->DeleteLocalRef(owner);
    if ((flags & JVMTI_THREAD_STATE_RUNNABLE) == 0 && (flags & JVMTI_THREAD_STATE_ALIVE) != 0) {
      return true;
    }
  }
  return run_.jvmti->GetThreadState(thread, &flags) == JVMTI_ERROR_NONE;
}

}  // namespace copse::jvm
