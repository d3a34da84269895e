// Optional parts of a run with events, besides its ids: threads that keep events, a file that events are
// appended to, samples of CPU time, wall-clock time, counts of all allocations.
//
// Threads: one of its own writes events that have waited for a second. In a run that is kept, another empties
// the tables of allocations. The two clocks have threads of their own.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "agent/jvm/hook/recorded_methods.h"
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
  // Returns whether the run needs this object. Without it events are only summed.
  static bool are_wanted(const agent::AgentOptions& options);

  RunEvents(const Run& run, ids::ContextIds& ids, RecordedMethods& methods);

  // Appends events to a file. Called before threads() and start().
  Status append_to(const std::string& path, const trace::ProgramInfo& program, NewNames& names,
                   const events::OutsideMethods& outside);
  bool appends() const noexcept { return log_ != nullptr; }

  // Returns nullptr unless all allocations are counted.
  ids::AllocationCounts* allocations() noexcept { return allocations_.get(); }

  // Returns the recorder of threads that replaces ContextIds::threads().
  shadowstack::ThreadRecorder& threads();

  // Called after threads(), before the first thread has a header.
  Status start(JNIEnv* jni);
  // Returns what the runtime starts with. REQUIRES: start() was called.
  RuntimeClass::Threads threads_to_start();
  // Called when threads may have events.
  Status start_counting(JNIEnv* jni);
  // Adds waiting samples and counts to the sums, for a snapshot. Time that threads used after their last
  // samples stays out.
  void count_waiting() noexcept;
  // Called before ContextIds::end_events().
  void stop() noexcept;
  // Called after ContextIds::end_events(). REQUIRES: appends().
  events::EventLog::Finished finish(double wall_ms);
  // Returns the time line so far; without rows unless CPU time is measured.
  report::ReportAbout::TimeLine timeline() const {
    return time_ ? time_->timeline() : report::ReportAbout::TimeLine();
  }
  // Returns sentences for the report. REQUIRES: stop() was called.
  std::vector<std::string> notes() const;

 private:
  void collect() noexcept;
  void collect_allocations() noexcept;
  std::uint64_t corrected(std::uint64_t word, const shadowstack::CodePlace* code) const noexcept;
  void add_time_without_context() noexcept;

  const Run& run_;
  ids::ContextIds& ids_;
  RecordedMethods& methods_;
  std::unique_ptr<events::EventLog> log_;
  std::unique_ptr<ids::AllocationCounts> allocations_;
  std::unique_ptr<events::EventThreads> threads_;
  std::unique_ptr<WallEvents> wall_;   // nullptr if none, like wall_clock_
  std::optional<ProcessorTime> time_;  // from here on: threads that use earlier members
  std::unique_ptr<WallClock> wall_clock_;
  std::vector<Measure*> active_;  // of the members above, in the order of notes
  PeriodicThread writing_;
  PeriodicThread collecting_;  // allocation counts, so that they outlive a killed JVM
};

}  // namespace copse::jvm
