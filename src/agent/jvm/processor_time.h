// Processor time of a recording: samples that each thread takes of itself (sampling/cpu_timers.h),
// clocks that tell what they come to, and whether they are in Copse's own code (probe_code.h).
//
// Threads: one of its own takes out the samples that wait, and so does every thread that ends.
#pragma once

#include <jvmti.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "agent/jvm/periodic_thread.h"
#include "agent/jvm/run.h"
#include "base/status.h"
#include "sampling/cpu_timers.h"
#include "shadowstack/thread_header.h"

namespace copse::jvm {

class ProcessorTime {
 public:
  // Whether threads can sample themselves while their words are in a field.
  static bool can_read_fields(JavaVM* vm) noexcept;

  explicit ProcessorTime(const Run& run)
      : run_(run),
        tells_own_(agent::measures(run.options, "cpu=corrected") ||
                   agent::has_event(run.options, "cpu=corrected")) {}

  // `is_own`: Copse's own code ran. Without cpu=corrected nobody knows, and it is false.
  using Take = std::function<void(const sampling::Sample& sample, std::uint64_t ns, bool is_own)>;
  // Before the first thread has a header. `take`: told of each sample, one at a time.
  Status start(JNIEnv* jni, Take take);
  // Threads have headers.
  Status start_counting(JNIEnv* jni);
  // Null before start().
  sampling::CpuTimers* timers() const noexcept { return timers_; }

  // What waits of the header's is taken out: before what its words refer to goes.
  void drain_for(const shadowstack::ThreadHeader& header) noexcept { timers_->drain_for(header); }
  // The thread has ended. Called by: that thread, while the header is its own.
  void end(shadowstack::ThreadHeader& header) noexcept;
  // There are no samples any more.
  void stop() noexcept;

  // Since start(); of the end, since stop().
  sampling::CpuTimers::Totals totals() const noexcept;
  // Since stop(): what the process used beside the threads that had a timer; from its own beginning on
  // unless Copse was attached.
  std::uint64_t other_threads_ns() const noexcept { return other_threads_ns_; }
  // Sentences for the report.
  std::vector<std::string> notes() const;

 private:
  // Of threads without a timer, whoever waits for the run's end is told.
  void warn() const noexcept;
  std::string words_on_refused_timers() const;
  std::string note_on_own_code() const;

  const Run& run_;
  const bool tells_own_;
  sampling::CpuTimers* timers_ = nullptr;
  std::uint64_t process_began_ns_ = 0;  // what its clock showed where all that it shows counts
  std::uint64_t before_start_ns_ = 0;   // of what counts, what it showed at start()
  std::uint64_t other_threads_ns_ = 0;
  std::uint64_t samples_ = 0;      // taken
  std::uint64_t own_samples_ = 0;  // of these, in Copse's own code
  std::optional<sampling::CpuTimers::Totals> ended_;
  PeriodicThread counting_;
};

}  // namespace copse::jvm
