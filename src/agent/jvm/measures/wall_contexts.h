// Wall-clock time (wall_clock.h) of a run that builds a tree: time by state, in columns of the contexts that
// threads stand in.
//
// Without --jdk the tree has no frames of the JDK, which tell waits for work from others (report/model/idle_waits.h). So
// the JVM is asked for the stack of a waiting thread, once for each call site at which a thread waits. A wait for work
// is counted below the method of the JDK that waits.
//
// Threads: the clock's own.
#pragma once

#include <jvmti.h>

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <unordered_map>
#include <vector>

#include "agent/jvm/hook/recorded_methods.h"
#include "agent/jvm/measures/event_objects.h"
#include "agent/jvm/measures/wall_clock.h"
#include "agent/jvm/run.h"
#include "base/call_record.h"
#include "cct/measured_threads.h"

namespace copse::jvm {

class WallContexts final : public WallClock::Sink {
 public:
  using State = WallClock::State;
  // Index of the time column in the trees; the column of looks follows. std::nullopt when not counted.
  struct Columns {
    std::optional<std::size_t> all;
    std::array<std::optional<std::size_t>, WallClock::kStateCount> of_state;
  };

  // Counts in units of `unit_ns` nanoseconds. Parked time is counted below the stated reason of the thread, time blocked
  // before a synchronized method in the method.
  WallContexts(const Run& run, cct::MeasuredThreads& contexts, EventObjects& objects,
               RecordedMethods& methods, const Columns& columns, std::uint64_t unit_ns)
      : run_(run),
        contexts_(contexts),
        objects_(objects),
        methods_(methods),
        columns_(columns),
        unit_ns_(unit_ns) {}

  // Returns whether a thread in that state does nothing.
  static constexpr bool is_wait(State state) noexcept {
    return state != WallClock::kRunnable && state != WallClock::kNative;
  }
  bool wants(State state) const noexcept override {
    return columns_.all || columns_.of_state[state];
  }
  void see(JNIEnv* jni, const WallClock::Seen& seen) override;
  void end_look() override;
  void end() noexcept override;

 private:
  struct Place {
    shadowstack::ThreadPlace at;
    State state = WallClock::kRunnable;
    MethodId blocker = kNoMethod;  // reason for being parked
    MethodId entered = kNoMethod;  // method that is about to be entered
    bool operator==(const Place&) const = default;
  };
  // A thread that has not moved since it was met.
  struct Stand {
    ThreadIndex thread = shadowstack::kNoThread;
    Place place;
    std::uint64_t ns = 0;
    std::uint64_t looks = 0;        // number of looks that the time is of
    std::uint64_t look = 0;         // number of the last look that met it
    std::vector<ContextKey> path;   // context of the word
    MethodId waits_in = kNoMethod;  // method of the JDK in which it waits for work
  };
  // A call site at which threads wait: its context, the site, the state and the blocker.
  using WaitSite = std::vector<std::uint64_t>;

  void stands_at(JNIEnv* jni, const WallClock::Seen& seen, const Place& place);
  MethodId wait_for_work(JNIEnv* jni, const WallClock::Seen& seen, const Stand& stand);
  // Returns std::nullopt if the thread has gone on meanwhile.
  std::optional<MethodId> ask_for_wait(JNIEnv* jni, const WallClock::Seen& seen,
                                       const Stand& stand);
  void count(const Stand& stand) noexcept;

  const Run& run_;
  cct::MeasuredThreads& contexts_;
  EventObjects& objects_;
  RecordedMethods& methods_;
  const Columns columns_;
  const std::uint64_t unit_ns_;

  std::unordered_map<const shadowstack::ThreadHeader*, Stand> stands_;
  std::map<WaitSite, MethodId> waits_for_work_;  // kNoMethod: not for work
  std::uint64_t look_ = 1;
};

}  // namespace copse::jvm
