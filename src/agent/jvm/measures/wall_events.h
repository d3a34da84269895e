// What the clock on the wall (wall_clock.h) tells of a run that keeps ids: events of the states that
// threads are in, in the contexts of their ids.
//
// Threads: the clock's own.
#pragma once

#include <jvmti.h>

#include <cstdint>
#include <unordered_set>

#include "agent/jvm/measures/wall_clock.h"
#include "agent/jvm/run.h"
#include "encoders/events/event_kind.h"
#include "encoders/events/event_threads.h"
#include "encoders/ids/context_ids.h"

namespace copse::jvm {

class WallEvents final : public WallClock::Sink {
 public:
  // `all`: of every state, else of threads that are parked.
  WallEvents(const Run& run, context_id::ContextIds& ids, events::EventThreads& threads, bool all)
      : run_(run), ids_(ids), threads_(threads), all_(all) {}

  bool wants(WallClock::State state) const noexcept override {
    return all_ || state == WallClock::kParked;
  }
  void see(JNIEnv* jni, const WallClock::Seen& seen) override;
  void end_look() override;

 private:
  void add(const WallClock::Seen& seen, std::int64_t id, events::EventThread* thread);

  const Run& run_;
  context_id::ContextIds& ids_;
  events::EventThreads& threads_;
  const bool all_;
  // Threads by their ids that some look met in recorded code: before it they are nobody's business,
  // most are the JVM's. Those of looks up to the last, and of this one.
  std::unordered_set<std::int64_t> met_, still_there_;
};

}  // namespace copse::jvm
