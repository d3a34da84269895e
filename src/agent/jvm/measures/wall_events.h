// Wall-clock time (wall_clock.h) of a run that keeps ids: events of the states that threads are in, in the
// contexts of their ids.
//
// Threads: the clock's own.
#pragma once

#include <jvmti.h>

#include <cstdint>
#include <unordered_set>

#include "agent/jvm/hook/recorded_methods.h"
#include "agent/jvm/measures/wall_clock.h"
#include "agent/jvm/run.h"
#include "encoders/events/event_kind.h"
#include "encoders/events/event_threads.h"
#include "encoders/ids/context_ids.h"

namespace copse::jvm {

class WallEvents final : public WallClock::Sink {
 public:
  // `all`: events of every state; otherwise of parked threads only.
  WallEvents(const Run& run, ids::ContextIds& ids, RecordedMethods& methods,
             events::EventThreads& threads, bool all)
      : run_(run), ids_(ids), methods_(methods), threads_(threads), all_(all) {}

  bool wants(WallClock::State state) const noexcept override {
    return all_ || state == WallClock::kParked;
  }
  void see(JNIEnv* jni, const WallClock::Seen& seen) override;
  void end_look() override;

 private:
  void add(JNIEnv* jni, const WallClock::Seen& seen, MethodId entered, std::int64_t id,
           events::EventThread* thread);

  const Run& run_;
  ids::ContextIds& ids_;
  RecordedMethods& methods_;
  events::EventThreads& threads_;
  const bool all_;
  // Ids of threads that a look met in recorded code, up to the last look and in the current one. Other threads
  // are left out, because most are the JVM's.
  std::unordered_set<std::int64_t> met_, still_there_;
};

}  // namespace copse::jvm
