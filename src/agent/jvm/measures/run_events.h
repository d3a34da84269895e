// What a run with events of interest may have beside its ids: threads that events are kept by, a
// file to which they are appended, samples of processor time, time by the clock on the wall, counts
// of all allocations.
//
// Threads: one of its own writes what has waited for a second, and one of a run that is kept empties
// the tables of allocations, beside those of the two clocks.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "agent/jvm/ids/new_names.h"
#include "agent/jvm/measures/processor_time.h"
#include "agent/jvm/measures/wall_clock.h"
#include "agent/jvm/measures/wall_events.h"
#include "agent/jvm/periodic_thread.h"
#include "agent/jvm/run.h"
#include "agent/options.h"
#include "base/status.h"
#include "encoders/events/event_log.h"
#include "encoders/events/event_threads.h"
#include "encoders/ids/allocation_counts.h"
#include "encoders/ids/context_ids.h"
#include "trace/trace.h"

namespace copse::jvm {

class RunEvents {
 public:
  // Otherwise events are summed, and nothing of this is needed.
  static bool are_wanted(const agent::AgentOptions& options);

  RunEvents(const Run& run, context_id::ContextIds& ids);

  // Before threads() and start().
  Status append_to(const std::string& path, const trace::ProgramInfo& program, NewNames& names,
                   const events::OutsideMethods& outside);
  bool appends() const noexcept { return log_ != nullptr; }

  // Null unless all allocations are counted.
  context_id::AllocationCounts* allocations() noexcept { return allocations_.get(); }

  // Who is told of threads in the place of ContextIds::threads().
  shadowstack::ThreadRecorder& threads();

  // Since threads(), before the first thread has a header.
  Status start_time(JNIEnv* jni);
  // Null: no processor time is measured.
  sampling::CpuTimers* timers() noexcept { return time_ ? time_->timers() : nullptr; }

  // Whether it looks where threads stand that run, and in what state.
  bool looks_at_threads() const;

  // Threads may have events.
  Status start(JNIEnv* jni);
  // Adds what waits to the sums, for a snapshot. What threads used after their last samples stays out.
  void count_waiting() noexcept;
  // Before ContextIds::end_events().
  void stop() noexcept;
  // After it; of a run that appends.
  events::EventLog::Finished finish(double wall_ms);
  // Since stop(): sentences for the report.
  std::vector<std::string> notes() const;

 private:
  void collect() noexcept;
  void collect_allocations() noexcept;
  void add_time_without_context() noexcept;

  const Run& run_;
  context_id::ContextIds& ids_;
  std::unique_ptr<events::EventLog> log_;
  std::unique_ptr<context_id::AllocationCounts> allocations_;
  std::unique_ptr<events::EventThreads> threads_;
  std::optional<ProcessorTime> time_;  // from here on: their threads use all of the above
  std::unique_ptr<WallEvents> wall_;   // null: none, as the one below
  std::unique_ptr<WallClock> wall_clock_;
  PeriodicThread writing_;
  PeriodicThread collecting_;  // counts of allocations, so that they outlive a killed JVM
};

}  // namespace copse::jvm
