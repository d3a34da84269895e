#include "agent/jvm/wall_clock.h"

#include <atomic>
#include <exception>
#include <random>

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
  return std::string(what) +
         " is that of platform threads in which calls were recorded, looked at every " +
         std::to_string(kPeriodMs) + " ms on the average.";
}

Status WallClock::start(JNIEnv* jni) {
  const RuntimeClass::Unrecorded unrecorded(run_.jvm.runtime, run_.jvmti, jni);
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
  std::uniform_int_distribution<std::uint64_t> wait_us(500 * kPeriodMs, 1500 * kPeriodMs);
  while (!wake_.wait_for(lock, std::chrono::microseconds(wait_us(random)),
                         [this] { return is_stopped_; })) {
    lock.unlock();
    const Clock::time_point now = Clock::now();
    const auto passed = std::chrono::duration_cast<std::chrono::nanoseconds>(now - before);
    before = now;
    try {
      look(jni, static_cast<std::uint64_t>(passed.count()));
    } catch (const std::exception&) {
      // No memory for this one; there may be for the next.
    }
    lock.lock();
  }
  sink_.end();
  is_running_ = false;
  wake_.notify_all();
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
  if (run_.jvmti->GetThreadState(thread, &flags) != JVMTI_ERROR_NONE) return;
  const State state = state_of(flags);
  if (sink_.wants(state)) sink_.see(jni, {thread, header, state, ns});
}

}  // namespace copse::jvm
