// Processor time of a recording: samples that each thread takes of itself (shadowstack/sampling/cpu_timers.h),
// clocks that tell the time used in all, and the owners of the sampled code (machine_code.h).
//
// Threads: one of its own takes out the waiting samples, and so does every thread that ends.
#pragma once

#include <jvmti.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "agent/jvm/hotspot/machine_code.h"
#include "agent/jvm/measures/jvm_threads.h"
#include "agent/jvm/measures/measure.h"
#include "agent/jvm/measures/time_line.h"
#include "agent/jvm/periodic_thread.h"
#include "agent/jvm/run.h"
#include "base/status.h"
#include "encoders/events/event_kind.h"
#include "shadowstack/sampling/cpu_timers.h"
#include "shadowstack/thread_header.h"

namespace copse::jvm {

// Part of CPU time by the owner of the running code, counted in addition to all CPU time.
struct CodePart {
  std::string_view option;  // name as a measure and as an event
  events::EventKind kind;
  bool (*has)(CodeKind code);
  // True if the part has unsampled time: time of threads without recorded calls and, in the mode of ids, time
  // used after the last sample.
  bool has_unsampled;
};
inline constexpr std::array kCodeParts = {
    CodePart{"cpu=corrected", events::EventKind::kCpuCorrected,
             [](CodeKind code) { return code != CodeKind::kOwn; }, true},
    CodePart{"cpu=native", events::EventKind::kCpuNative,
             [](CodeKind code) { return code == CodeKind::kNative; }, false}};

class ProcessorTime final : public Measure {
 public:
  // Returns whether threads can sample themselves while their words are in a field.
  static bool can_read_fields(JavaVM* vm) noexcept;
  // Returns the same if the options ask for CPU time, and true otherwise.
  static bool lets_words_be_in_fields(JavaVM* vm, const agent::AgentOptions& options) {
    return !agent::measures(options, "cpu") || can_read_fields(vm);
  }

  // Receiver of samples. `code`: where the thread ran; nullptr if not known. `kind`: CPU time, or a part that was asked
  // for, which comes in addition.
  using Take = std::function<void(events::EventKind kind, const sampling::Sample& sample,
                                  const shadowstack::CodePlace* code, std::uint64_t ns)>;
  // `take`: called with each sample, one at a time.
  ProcessorTime(const Run& run, Take take);

  // Returns the parts that were asked for.
  const std::vector<CodePart>& parts() const noexcept { return parts_; }

  Status start(JNIEnv* jni) override;
  void ask_for(RuntimeClass::Threads& threads) noexcept override { threads.timers = timers_; }
  Status start_counting(JNIEnv* jni) override;
  Status begin(JNIEnv* jni) override;
  void count_waiting() noexcept override {
    if (timers_ != nullptr) timers_->drain();
  }
  void count_waiting_of(const shadowstack::ThreadHeader& header) noexcept override {
    if (timers_ != nullptr) timers_->drain_for(header);
  }
  void end(shadowstack::ThreadHeader& header) noexcept override;
  void stop() noexcept override;
  // Returns whether start() succeeded.
  bool is_started() const noexcept { return timers_ != nullptr; }

  // Returns the totals so far; after stop(), those at the end. REQUIRES: start() was called.
  sampling::CpuTimers::Totals totals() const noexcept;
  // Returns the time that the process used outside threads with a timer, from its own beginning unless Copse
  // was attached. REQUIRES: stop() was called.
  std::uint64_t other_threads_ns() const noexcept { return other_threads_ns_; }
  // Returns the parts of other_threads_ns() that are known to be of the JVM's own threads.
  const JvmThreads::Times& jvm_threads_ns() const noexcept { return jvm_threads_ns_; }
  // Returns the time line so far. After stop() its sums are those of totals() and of the JVM's threads, less what they
  // used before start_counting().
  report::ReportAbout::TimeLine timeline() const { return timeline_.rows(); }
  std::vector<std::string> notes() const override;

 private:
  using Clock = std::chrono::steady_clock;
  void add(const sampling::Sample& sample, std::uint64_t ns);
  void count_now();
  void look();
  TimeLine::Times times_so_far() noexcept;
  void look_at_jvm_threads() noexcept;
  // Warns about threads without a timer, in the manifest and on standard error.
  void warn() const noexcept;
  void tell_of_unreadable_words() const;
  // Has the JVM tell of collections, so that the samples taken in one can be left out.
  Status watch_collections() const;
  Status start_thread();
  std::string words_on_refused_timers() const;
  std::string words_on_busy_machine() const;
  std::string note_on_own_code() const;

  const Run& run_;
  const std::vector<CodePart> parts_;
  const Take take_;
  sampling::CpuTimers* timers_ = nullptr;
  std::uint64_t process_began_ns_ = 0;  // process clock at begin() if attached; else 0
  std::uint64_t before_start_ns_ = 0;   // process clock at start() if not attached; else 0
  std::uint64_t other_threads_ns_ = 0;
  JvmThreads::Times jvm_threads_ns_{};
  JvmThreads::Scheduled scheduled_;            // of the program's threads, at stop()
  std::atomic<std::uint64_t> samples_{0};      // samples taken
  std::atomic<std::uint64_t> own_samples_{0};  // of `samples_`: in Copse's own code
  std::optional<sampling::CpuTimers::Totals> ended_;
  JvmThreads jvm_threads_;  // used by one thread at a time: counting_, then that of stop()
  TimeLine timeline_;
  Clock::time_point began_, looked_;  // start_counting(), and the last look at the JVM's threads
  std::chrono::nanoseconds look_cost_{0};  // CPU time of the last look
  PeriodicThread counting_;
};

}  // namespace copse::jvm
