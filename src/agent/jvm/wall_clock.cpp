#include "agent/jvm/wall_clock.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <random>
#include <utility>

namespace copse::jvm {
namespace {

// Of what is seen, before it is counted: so much is lost when the process is killed.
constexpr std::uint64_t kLongestWaitNs = 1'000'000'000;

WallClock::State state_of(jint flags) noexcept {
  if ((flags & JVMTI_THREAD_STATE_BLOCKED_ON_MONITOR_ENTER) != 0) return WallClock::kBlocked;
  if ((flags & JVMTI_THREAD_STATE_SLEEPING) != 0) return WallClock::kSleeping;
  if ((flags & JVMTI_THREAD_STATE_PARKED) != 0) return WallClock::kParked;
  if ((flags & JVMTI_THREAD_STATE_WAITING) != 0) return WallClock::kWaiting;
  return (flags & JVMTI_THREAD_STATE_IN_NATIVE) != 0 ? WallClock::kNative : WallClock::kRunning;
}

}  // namespace

Status WallClock::start(JNIEnv* jni) {
  const RuntimeClass::Unrecorded unrecorded(run_.jvm.runtime, run_.jvmti, jni);
  const jclass type = jni->FindClass("java/lang/Thread");
  const jmethodID make =
      type == nullptr ? nullptr : jni->GetMethodID(type, "<init>", "(Ljava/lang/String;)V");
  blocker_ = type == nullptr ? nullptr : jni->GetFieldID(type, "parkBlocker", "Ljava/lang/Object;");
  if (jni->ExceptionCheck()) jni->ExceptionClear();  // a JVM without it
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
  for (const auto& [header, stand] : stands_) count(stand);
  stands_.clear();
  is_running_ = false;
  wake_.notify_all();
}

void WallClock::look(JNIEnv* jni, std::uint64_t ns) {
  jint threads = 0;
  jthread* all = nullptr;
  if (run_.jvmti->GetAllThreads(&threads, &all) != JVMTI_ERROR_NONE) return;
  ++looks_;
  for (jint i = 0; i < threads; ++i) {
    look_at(jni, all[i], ns);
    jni->DeleteLocalRef(all[i]);
  }
  run_.jvmti->Deallocate(reinterpret_cast<unsigned char*>(all));
  std::erase_if(stands_, [this](const auto& entry) {
    if (entry.second.look == looks_) return false;
    count(entry.second);
    return true;
  });
}

// Threads that made no recorded call are nobody's business: most of them are the JVM's.
void WallClock::look_at(JNIEnv* jni, jthread thread, std::uint64_t ns) {
  const shadowstack::ThreadHeader* header = run_.jvm.runtime.header_of(jni, thread);
  jint flags = 0;
  if (header == nullptr || run_.jvmti->GetThreadState(thread, &flags) != JVMTI_ERROR_NONE) {
    return;
  }
  const State state = state_of(flags);
  if (!columns_.all && !columns_.of_state[state]) return;
  Place place;
  place.state = state;
  const std::uint64_t mounted =
      std::atomic_ref<const std::uint64_t>(header->mounted).load(std::memory_order_relaxed);
  if (mounted != 0) {
    header = reinterpret_cast<const shadowstack::ThreadHeader*>(mounted);
    place.at = shadowstack::place_of(*header, run_.jvm.runtime.word_of_virtual(jni, *header));
  } else {
    place.at = shadowstack::place_of(*header, run_.jvm.runtime.word_of(jni, thread, header));
    if (state == kParked) place.blocker = blocker_of(jni, thread);
  }
  stands_at(*header, place, ns);
}

void WallClock::stands_at(const shadowstack::ThreadHeader& header, const Place& place,
                          std::uint64_t ns) {
  Stand& stand = stands_[&header];
  if (stand.look == 0 || stand.place != place || stand.ns >= kLongestWaitNs) {
    count(stand);
    stand.place = place;
    stand.ns = 0;
    if (!contexts_.path_of(header, place.at, stand.path)) {
      stands_.erase(&header);
      return;
    }
  }
  stand.ns += ns;
  stand.look = looks_;
}

// What LockSupport.park(Object) was told; locks and queues of java.util.concurrent tell themselves.
MethodId WallClock::blocker_of(JNIEnv* jni, jthread thread) {
  const jobject blocker = blocker_ == nullptr ? nullptr : jni->GetObjectField(thread, blocker_);
  if (blocker == nullptr) return kNoMethod;
  const MethodId object = objects_.parked(jni, blocker);
  jni->DeleteLocalRef(blocker);
  return object;
}

void WallClock::count(const Stand& stand) noexcept {
  if (stand.ns == 0) return;
  const auto add_to = [&](const std::optional<std::size_t>& column) {
    if (!column) return;
    contexts_.measured().add_below(*column, stand.path, stand.ns / unit_ns_, stand.place.blocker);
  };
  add_to(columns_.all);
  add_to(columns_.of_state[stand.place.state]);
}

}  // namespace copse::jvm
