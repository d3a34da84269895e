// Where the program's platform threads stand, all of them every so often, and in what state: time
// by the clock on the wall, which passes for threads that wait, too.
//
// A thread of the agent's looks at the others without stopping them: their states and their context
// words are in fields that anybody can read. Of a thread that seems to run the JVM is asked whether it
// is in native code: a question that takes it longer the more threads there are. A carrier stands where
// the virtual thread does that it carries; virtual threads that no thread carries are not looked at.
//
// A look costs as much as there are threads. Where looks would take more than kMostShare of one
// processor, they are further apart.
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

#include "agent/jvm/run.h"
#include "base/status.h"
#include "shadowstack/thread_header.h"

namespace copse::jvm {

class WallClock {
 public:
  enum State : std::size_t { kRunning, kNative, kBlocked, kWaiting, kParked, kSleeping };
  static constexpr std::size_t kStateCount = 6;
  static constexpr std::uint64_t kPeriodMs = 25;       // on the average, but where looks are dear
  static constexpr std::uint64_t kMostPeriodMs = 500;  // where they are
  static constexpr double kMostShare = 0.015;

  // A thread in which a call was recorded, as it is just now: a platform thread, or in the place of
  // one that carries a virtual thread that one.
  struct Seen {
    jthread thread;
    const shadowstack::ThreadHeader& header;
    State state;
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

  // A sentence for the report; `what`: that is seen.
  std::string note(std::string_view what);

  WallClock(const Run& run, Sink& sink) : run_(run), sink_(sink) {}
  WallClock(const WallClock&) = delete;
  WallClock& operator=(const WallClock&) = delete;

  // Once, when probes can run, before any thread that is the run's starts. Never destroyed from
  // then on.
  Status start(JNIEnv* jni);
  // It looks no more, and the sink knows.
  void stop() noexcept;

 private:
  using Clock = std::chrono::steady_clock;

  static void JNICALL main(jvmtiEnv* jvmti, JNIEnv* jni, void* self);
  void find_status(JNIEnv* jni);
  void run(JNIEnv* jni) noexcept;
  std::uint64_t next_period_us() const noexcept;
  void look(JNIEnv* jni, std::uint64_t ns);
  void look_at(JNIEnv* jni, jthread thread, std::uint64_t ns);
  void look_at(JNIEnv* jni, jthread thread, const shadowstack::ThreadHeader& header,
               std::uint64_t ns);
  bool tell_state(JNIEnv* jni, jthread thread, jint& flags) const;

  const Run& run_;
  Sink& sink_;
  jfieldID holder_ = nullptr;       // of Thread, from JDK 19 on
  jfieldID status_ = nullptr;       // of Thread, or of what it holds there; null: the JVM is asked
  std::uint64_t look_took_ns_ = 0;  // of its own thread's processor time, the last one

  std::mutex mutex_;              // of all below
  std::condition_variable wake_;  // of the thread, and of start() and stop()
  bool is_running_ = false;
  bool is_stopped_ = false;
  std::uint64_t looks_ = 0;
  std::uint64_t looked_ns_ = 0;  // in which so many were
};

}  // namespace copse::jvm
