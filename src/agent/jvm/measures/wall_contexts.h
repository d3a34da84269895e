// What the clock on the wall (wall_clock.h) tells of a run that builds a tree: time by state, in
// columns of the contexts that threads stand in.
//
// Threads: the clock's own.
#pragma once

#include <jvmti.h>

#include <array>
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "agent/jvm/measures/event_objects.h"
#include "agent/jvm/measures/wall_clock.h"
#include "agent/jvm/run.h"
#include "base/call_record.h"
#include "cct/inplace/measured_threads.h"

namespace copse::jvm {

class WallContexts final : public WallClock::Sink {
 public:
  using State = WallClock::State;
  // Of the trees: the first of two, for time and for looks; none: that time is not counted.
  struct Columns {
    std::optional<std::size_t> all;
    std::array<std::optional<std::size_t>, WallClock::kStateCount> of_state;
  };

  // Counts in units of so many ns; time parked, below what a thread says that it is parked for.
  WallContexts(const Run& run, cct::MeasuredThreads& contexts, EventObjects& objects,
               const Columns& columns, std::uint64_t unit_ns)
      : run_(run), contexts_(contexts), objects_(objects), columns_(columns), unit_ns_(unit_ns) {}

  bool wants(State state) const noexcept override {
    return columns_.all || columns_.of_state[state];
  }
  void see(JNIEnv* jni, const WallClock::Seen& seen) override;
  void end_look() override;
  void end() noexcept override;

 private:
  struct Place {
    shadowstack::ThreadPlace at;
    State state = WallClock::kRunning;
    MethodId blocker = kNoMethod;  // what it is parked for
    bool operator==(const Place&) const = default;
  };
  // Of a thread that has not moved since it was met.
  struct Stand {
    Place place;
    std::uint64_t ns = 0;
    std::uint64_t looks = 0;       // that this time is of
    std::uint64_t look = 0;        // the last that met it
    std::vector<ContextKey> path;  // of the word
  };

  void stands_at(const shadowstack::ThreadHeader& header, const Place& place, std::uint64_t ns);
  void count(const Stand& stand) noexcept;

  const Run& run_;
  cct::MeasuredThreads& contexts_;
  EventObjects& objects_;
  const Columns columns_;
  const std::uint64_t unit_ns_;

  std::unordered_map<const shadowstack::ThreadHeader*, Stand> stands_;
  std::uint64_t look_ = 1;
};

}  // namespace copse::jvm
