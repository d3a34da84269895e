// Samples where the program's threads stand and in what state, all of them at once. The samples add up to
// wall-clock time, which passes for waiting threads, too.
//
// A thread of the agent looks at the others without stopping them. States of waiting threads, and the context
// words of all, are in fields that any thread can read. For other states the thread asks the JVM, which takes
// longer the more threads there are. Virtual threads are looked at whether a carrier runs them or none. A
// carrier that runs one is not looked at.
//
// The interval adapts to the cost of a look: looks take the wanted share of one processor, and on average come at most
// once in kShortestPeriod. Each look stands for the time since the one before.
//
// Threads: one of its own, which the JVM knows, and the threads that start and stop it.
#pragma once

#include <jvmti.h>

#include <array>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>

#include "agent/jvm/measures/measure.h"
#include "agent/jvm/run.h"
#include "base/status.h"
#include "shadowstack/thread_header.h"

namespace copse::jvm {

class WallClock final : public Measure {
 public:
  enum State : std::size_t { kRunnable, kNative, kBlocked, kWaiting, kParked, kSleeping };
  static constexpr std::size_t kStateCount = 6;
  // Shortest average time between two looks.
  static constexpr std::chrono::nanoseconds kShortestPeriod = std::chrono::milliseconds(2);
  // Divisor of the share: looks take at most 1/kPartOfProcessor of one processor.
  static constexpr std::uint64_t kPartOfProcessor = 100;

  // A thread with a recorded call, as a look found it. A thread that waits for a processor counts as running,
  // and so does a virtual thread that waits for a carrier.
  struct Seen {
    jthread thread;
    const shadowstack::ThreadHeader& header;
    State state;
    jobject blocker;   // of a parked thread: its stated reason; nullptr if none
    std::uint64_t ns;  // time since the look before
    // Synchronized method that a blocked thread is about to enter; nullptr if none.
    jmethodID entered = nullptr;
  };

  // Receiver of what a look finds. Called by: the clock's own thread.
  class Sink {
   public:
    virtual ~Sink() = default;
    virtual bool wants(State state) const noexcept = 0;
    virtual void see(JNIEnv* jni, const Seen& seen) = 0;
    // Called after all threads were looked at.
    virtual void end_look() {}
    // Called after the last look.
    virtual void end() noexcept {}
  };

  WallClock(const Run& run, Sink& sink) : run_(run), sink_(sink) {}
  WallClock(const WallClock&) = delete;
  WallClock& operator=(const WallClock&) = delete;

  void ask_for(RuntimeClass::Threads& threads) noexcept override { threads.are_looked_at = true; }
  // Where Copse was attached, threads are looked at from begin() on. From then on this object must not be destroyed.
  Status start_counting(JNIEnv* jni) override {
    return run_.attached ? Status() : start_looking(jni);
  }
  Status begin(JNIEnv* jni) override { return start_looking(jni); }
  // Stops looking. Returns after Sink::end().
  void stop() noexcept override;
  std::vector<std::string> notes() const override;

 private:
  using Clock = std::chrono::steady_clock;

  Status start_looking(JNIEnv* jni);
  void find_fields(JNIEnv* jni);
  bool tell_state(JNIEnv* jni, jthread thread, jint& flags) const;
  static void JNICALL main(jvmtiEnv* jvmti, JNIEnv* jni, void* self);
  void run(JNIEnv* jni) noexcept;
  void learn_from_look(std::chrono::nanoseconds passed, std::uint64_t used_ns) noexcept;
  void look(JNIEnv* jni, std::uint64_t ns);
  void look_at_platform(JNIEnv* jni, jthread thread, std::uint64_t ns);
  void look_at_virtual(JNIEnv* jni, const shadowstack::ThreadHeader& header, std::uint64_t ns);
  void look_at(JNIEnv* jni, Seen seen, bool is_virtual);
  bool waits_for_references(JNIEnv* jni, const Seen& runs);
  bool sleeps(JNIEnv* jni, const Seen& parked);
  bool is_in_sleep(JNIEnv* jni, jthread virtual_thread);

  // Answer to the question whether a virtual thread sleeps that is parked without a stated reason, and the
  // place where it stood then.
  struct Asked {
    shadowstack::ThreadPlace place;
    bool sleeps;
    std::uint64_t look;  // number of the last look that met it there
  };

  const Run& run_;
  Sink& sink_;
  // Constant since start(). Thread.holder, from JDK 19 on, and threadStatus there or in Thread. nullptr: the
  // JVM is asked.
  jfieldID holder_ = nullptr;
  jfieldID status_ = nullptr;
  jclass reference_handler_ = nullptr;  // Reference.ReferenceHandler; nullptr if this JVM has none

  // Used by the clock's own thread only, like the members up to mutex_.
  jfieldID blocker_ = nullptr;  // Thread.parkBlocker; nullptr if this JVM has none
  jmethodID sleep_ = nullptr;   // VirtualThread.sleepNanos; nullptr likewise
  bool has_looked_for_sleep_ = false;
  std::unordered_map<const shadowstack::ThreadHeader*, Asked> asked_;
  std::uint64_t look_ = 0;                     // number of the current look
  shadowstack::ThreadPlace handlers_place_{};  // where the reference handler stood at the last look

  std::mutex mutex_;              // guards the members below
  std::condition_variable wake_;  // wakes the thread, start() and stop()
  bool is_running_ = false;
  bool is_stopped_ = false;
  // Number of all looks so far, their sums and the longest time.
  std::uint64_t looks_ = 0;
  std::chrono::nanoseconds passed_{0};   // since start()
  std::chrono::nanoseconds longest_{0};  // time between two looks
  std::uint64_t used_ns_ = 0;            // CPU time, with waking up
  double cost_ns_ = 0;                   // running average of a look; the last counts most
};

}  // namespace copse::jvm
