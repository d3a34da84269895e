// Where the program's threads stand, all of them every so often, and in what state: time by the clock on
// the wall, which passes for threads that wait, too.
//
// A thread of the agent's looks at the others without stopping them: the states of those that wait, and the
// context words of all, are in fields that anybody can read. Of the others the JVM is asked, which takes it
// the longer the more threads there are. Virtual threads are looked at whether a carrier runs
// them or none; while one does, that carrier is not.
//
// How often it looks follows what a look costs: there are as many as take the wanted share of a
// processor, and no more than one in kShortestPeriod. Each stands for the time since the one before.
//
// Threads: one of its own, which the JVM knows, and whoever starts and stops it.
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

#include "agent/jvm/run.h"
#include "base/status.h"
#include "shadowstack/thread_header.h"

namespace copse::jvm {

class WallClock {
 public:
  enum State : std::size_t { kRunning, kNative, kBlocked, kWaiting, kParked, kSleeping };
  static constexpr std::size_t kStateCount = 6;
  // Between two looks, on the average.
  static constexpr std::chrono::nanoseconds kShortestPeriod = std::chrono::milliseconds(2);
  // Looks take one in so many of a processor's time at most.
  static constexpr std::uint64_t kPartOfProcessor = 100;

  // A thread in which a call was recorded, as it is just now. Running is also one that waits for a
  // processor, or as a virtual thread for a carrier.
  struct Seen {
    jthread thread;
    const shadowstack::ThreadHeader& header;
    State state;
    jobject blocker;   // of one that is parked: what it said that it is parked for; or null
    std::uint64_t ns;  // since the look before
  };

  // Who counts what is seen. Called by: the clock's own thread.
  class Sink {
   public:
    virtual ~Sink() = default;
    virtual bool wants(State state) const noexcept = 0;
    virtual void see(JNIEnv* jni, const Seen& seen) = 0;
    // All threads were looked at.
    virtual void end_look() {}
    // There are no more looks.
    virtual void end() noexcept {}
  };

  WallClock(const Run& run, Sink& sink) : run_(run), sink_(sink) {}
  WallClock(const WallClock&) = delete;
  WallClock& operator=(const WallClock&) = delete;

  // Once, when probes can run, before any thread that is the run's starts. Never destroyed from
  // then on.
  Status start(JNIEnv* jni);
  // It looks no more, and the sink knows.
  void stop() noexcept;

  // Since stop(): a sentence or two for the report; `what`: that was seen.
  std::string note(std::string_view what) const;

 private:
  using Clock = std::chrono::steady_clock;

  void find_status(JNIEnv* jni);
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

  // Of a virtual thread that is parked, and says not for what: where it stood when it was asked whether it
  // sleeps, and the answer.
  struct Asked {
    shadowstack::ThreadPlace place;
    bool sleeps;
    std::uint64_t look;  // the last that met it so
  };

  const Run& run_;
  Sink& sink_;
  // Constant since start(). Thread.holder, from JDK 19 on; and threadStatus there, or of Thread; null: the
  // JVM is asked.
  jfieldID holder_ = nullptr;
  jfieldID status_ = nullptr;
  jclass reference_handler_ = nullptr;  // Reference.ReferenceHandler; null: this JVM has none

  // The clock's own thread's, as what follows.
  jfieldID blocker_ = nullptr;  // Thread.parkBlocker; null: this JVM has none
  jmethodID sleep_ = nullptr;   // VirtualThread.sleepNanos, as this one
  bool has_looked_for_sleep_ = false;
  std::unordered_map<const shadowstack::ThreadHeader*, Asked> asked_;
  std::uint64_t look_ = 0;                     // the one at hand
  shadowstack::ThreadPlace handlers_place_{};  // where the reference handler stood at the last one

  std::mutex mutex_;              // of all below
  std::condition_variable wake_;  // of the thread, and of start() and stop()
  bool is_running_ = false;
  bool is_stopped_ = false;
  // All looks so far: how many, and their sums.
  std::uint64_t looks_ = 0;
  std::chrono::nanoseconds passed_{0};  // since start()
  std::uint64_t used_ns_ = 0;           // processor time, with waking up for them
  double cost_ns_ = 0;                  // of the last looks on the average; the last counts most
};

}  // namespace copse::jvm
