// Processor time of a recording: samples that each thread takes of itself (shadowstack/sampling/cpu_timers.h),
// clocks that tell what they come to, and whose code they are in (machine_code.h).
//
// Threads: one of its own takes out the samples that wait, and so does every thread that ends.
#pragma once

#include <jvmti.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "agent/jvm/hotspot/machine_code.h"
#include "agent/jvm/periodic_thread.h"
#include "agent/jvm/run.h"
#include "base/status.h"
#include "encoders/events/event_kind.h"
#include "shadowstack/sampling/cpu_timers.h"
#include "shadowstack/thread_header.h"

namespace copse::jvm {

// Some of processor time by whose code ran, which is counted once more beside all of it.
struct CodePart {
  std::string_view option;  // as a measure and as an event
  events::EventKind kind;
  bool (*has)(CodeKind code);
  // Whether it has what is not sampled: that of threads without recorded calls, and of ids what is
  // used after the last sample.
  bool has_unsampled;
};
inline constexpr std::array kCodeParts = {
    CodePart{"cpu=corrected", events::EventKind::kCpuCorrected,
             [](CodeKind code) { return code != CodeKind::kOwn; }, true},
    CodePart{"cpu=native", events::EventKind::kCpuNative,
             [](CodeKind code) { return code == CodeKind::kNative; }, false}};

class ProcessorTime {
 public:
  static bool is_asked_for(const CodePart& part, const agent::AgentOptions& options) {
    return agent::measures(options, part.option);
  }
  // Whether threads can sample themselves while their words are in a field.
  static bool can_read_fields(JavaVM* vm) noexcept;

  explicit ProcessorTime(const Run& run)
      : run_(run),
        tells_code_(std::any_of(kCodeParts.begin(), kCodeParts.end(), [&run](const CodePart& part) {
          return is_asked_for(part, run.options);
        })) {}

  // `code`: kJava where none of kCodeParts was asked for.
  using Take = std::function<void(const sampling::Sample& sample, std::uint64_t ns, CodeKind code)>;
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
  const bool tells_code_;
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
