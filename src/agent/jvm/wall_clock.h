// Where the program's platform threads stand, all of them every so often, and in what state: time
// by the clock on the wall, which passes for threads that wait, too.
//
// A thread of the agent's looks at the others without stopping them: the JVM tells their states, and their
// context words are in fields that anybody can read. A carrier stands where the virtual thread
// does that it carries; virtual threads that no thread carries are not looked at.
//
// Threads: one of its own, which the JVM knows, and whoever starts and stops it.
#pragma once

#include <jvmti.h>

#include <array>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "agent/jvm/event_objects.h"
#include "agent/jvm/run.h"
#include "base/call_record.h"
#include "base/status.h"
#include "cct/measured_threads.h"

namespace copse::jvm {

class WallClock {
 public:
  enum State : std::size_t { kRunning, kNative, kBlocked, kWaiting, kParked, kSleeping };
  // What threads are told apart by.
  static constexpr std::array<std::string_view, 6> kStates = {
      "running_ns", "native_ns", "blocked_ns", "waiting_ns", "parked_ns", "sleeping_ns"};
  static constexpr std::uint64_t kPeriodMs = 25;  // on the average

  // Of the trees; none: that time is not counted.
  struct Columns {
    std::optional<std::size_t> all;
    std::array<std::optional<std::size_t>, kStates.size()> of_state;
  };

  // Counts in units of so many ns; time parked, below what a thread says that it is parked for.
  WallClock(const Run& run, cct::MeasuredThreads& contexts, EventObjects& objects,
            const Columns& columns, std::uint64_t unit_ns)
      : run_(run), contexts_(contexts), objects_(objects), columns_(columns), unit_ns_(unit_ns) {}
  WallClock(const WallClock&) = delete;
  WallClock& operator=(const WallClock&) = delete;

  // Once, when probes can run, before any thread that is the run's starts. Never destroyed from
  // then on.
  Status start(JNIEnv* jni);
  // All it saw is counted, and it looks no more.
  void stop() noexcept;

 private:
  using Clock = std::chrono::steady_clock;
  struct Place {
    shadowstack::ThreadPlace at;
    State state = kRunning;
    MethodId blocker = kNoMethod;  // what it is parked for
    bool operator==(const Place&) const = default;
  };
  // Of a thread that has not moved since it was met.
  struct Stand {
    Place place;
    std::uint64_t ns = 0;
    std::uint64_t look = 0;        // the last that met it
    std::vector<ContextKey> path;  // of the word
  };

  static void JNICALL main(jvmtiEnv* jvmti, JNIEnv* jni, void* self);
  void run(JNIEnv* jni) noexcept;
  void look(JNIEnv* jni, std::uint64_t ns);
  void look_at(JNIEnv* jni, jthread thread, std::uint64_t ns);
  void stands_at(const shadowstack::ThreadHeader& header, const Place& place, std::uint64_t ns);
  MethodId blocker_of(JNIEnv* jni, jthread thread);
  void count(const Stand& stand) noexcept;

  const Run& run_;
  cct::MeasuredThreads& contexts_;
  EventObjects& objects_;
  const Columns columns_;
  const std::uint64_t unit_ns_;

  // Of its own thread.
  jfieldID blocker_ = nullptr;  // Thread.parkBlocker
  std::unordered_map<const shadowstack::ThreadHeader*, Stand> stands_;
  std::uint64_t looks_ = 0;

  std::mutex mutex_;              // of all below
  std::condition_variable wake_;  // of the thread, and of start() and stop()
  bool is_running_ = false;
  bool is_stopped_ = false;
};

}  // namespace copse::jvm
