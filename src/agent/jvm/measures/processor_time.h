// Processor time of a recording: samples that each thread takes of itself (shadowstack/sampling/cpu_timers.h),
// clocks that tell the time used in all, and the owners of the sampled code (machine_code.h).
//
// Threads: one of its own takes out the waiting samples, and so does every thread that ends.
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

// Part of processor time by the owner of the running code, counted in addition to all processor time.
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

class ProcessorTime {
 public:
  static bool is_asked_for(const CodePart& part, const agent::AgentOptions& options) {
    return agent::measures(options, part.option);
  }
  // Returns whether threads can sample themselves while their words are in a field.
  static bool can_read_fields(JavaVM* vm) noexcept;

  explicit ProcessorTime(const Run& run)
      : run_(run),
        tells_code_(std::any_of(kCodeParts.begin(), kCodeParts.end(), [&run](const CodePart& part) {
          return is_asked_for(part, run.options);
        })) {}

  // Receiver of samples. `code`: kJava if none of kCodeParts was asked for.
  using Take = std::function<void(const sampling::Sample& sample, std::uint64_t ns, CodeKind code)>;
  // Called before the first thread has a header. `take`: called with each sample, one at a time.
  Status start(JNIEnv* jni, Take take);
  // Called when threads have headers.
  Status start_counting(JNIEnv* jni);
  // Returns nullptr before start().
  sampling::CpuTimers* timers() const noexcept { return timers_; }

  // Takes out the waiting samples of the header's thread. Called before the data that resolves its words is
  // freed.
  void drain_for(const shadowstack::ThreadHeader& header) noexcept { timers_->drain_for(header); }
  // Ends the samples of a thread. Called by: that thread, while the header is its own.
  void end(shadowstack::ThreadHeader& header) noexcept;
  // Ends all sampling.
  void stop() noexcept;

  // Returns the totals so far; after stop(), those at the end. REQUIRES: start() was called.
  sampling::CpuTimers::Totals totals() const noexcept;
  // Returns the time that the process used outside threads with a timer, from its own beginning unless Copse
  // was attached. REQUIRES: stop() was called.
  std::uint64_t other_threads_ns() const noexcept { return other_threads_ns_; }
  // Returns sentences for the report.
  std::vector<std::string> notes() const;

 private:
  // Warns about threads without a timer, in the manifest and on standard error.
  void warn() const noexcept;
  std::string words_on_refused_timers() const;
  std::string note_on_own_code() const;

  const Run& run_;
  const bool tells_code_;
  sampling::CpuTimers* timers_ = nullptr;
  std::uint64_t process_began_ns_ = 0;  // process clock at start() if attached; else 0
  std::uint64_t before_start_ns_ = 0;   // process clock at start() if not attached; else 0
  std::uint64_t other_threads_ns_ = 0;
  std::uint64_t samples_ = 0;      // samples taken
  std::uint64_t own_samples_ = 0;  // of `samples_`: in Copse's own code
  std::optional<sampling::CpuTimers::Totals> ended_;
  PeriodicThread counting_;
};

}  // namespace copse::jvm
