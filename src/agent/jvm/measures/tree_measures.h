// Measures of a run that builds a tree, besides calls (cct/measured_threads.h): CPU time
// (processor_time.h), wall-clock time (wall_clock.h), and events that the JVM reports (jvm_events.h).
//
// Wraps the recorder: drains a thread's samples before the data that resolves their contexts is freed.
//
// When Copse is attached, exceptions are counted by probes (probed_throws.h).
#pragma once

#include <atomic>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "agent/jvm/hook/recorded_methods.h"
#include "agent/jvm/jvm_events.h"
#include "agent/jvm/measures/probed_throws.h"
#include "agent/jvm/measures/processor_time.h"
#include "agent/jvm/measures/tree_allocations.h"
#include "agent/jvm/measures/wall_clock.h"
#include "agent/jvm/measures/wall_contexts.h"
#include "agent/jvm/run.h"
#include "base/status.h"
#include "cct/context_tree.h"
#include "cct/measured_threads.h"
#include "encoders/events/event_kind.h"
#include "report/model/program_tables.h"
#include "shadowstack/packets/thread_recorder.h"

namespace copse::jvm {

class TreeMeasures final : public shadowstack::ThreadRecorder, public EventSink {
 public:
  // Called before any class is rewritten, so that there are method ids left. `has_new_name`: called before a
  // column gets a stand-in method that the program does not have.
  TreeMeasures(const Run& run, std::function<void()> has_new_name);

  // Returns whether the run measures anything besides calls.
  bool any() const noexcept { return !columns_.empty(); }
  // Returns the kinds of the JVM's events that are counted.
  std::vector<events::EventKind> event_kinds() const;
  bool counts(events::EventKind kind) const noexcept { return columns_of(kind) != nullptr; }

  // Called before the first thread has a header. `threads`: the wrapped recorder. `contexts`: contexts of the
  // same threads. `recorded`: methods with probes; must outlive this object. Throws std::bad_alloc.
  Status start(JNIEnv* jni, shadowstack::ThreadRecorder& threads, cct::MeasuredThreads& contexts,
               RecordedMethods& recorded);
  // Called when threads have headers.
  Status start_counting(JNIEnv* jni);
  // Called when Copse was attached and the recording begins: forget() forgets what was counted so far, and calls
  // neither JNI nor JVMTI; begin() starts the clocks anew.
  void forget() noexcept;
  Status begin(JNIEnv* jni);

  // Counts everything that waits, before a snapshot.
  void count_waiting() noexcept {
    for (Measure* measure : active_) measure->count_waiting();
  }
  // Returns nullptr unless all allocations are counted.
  TreeAllocations* allocations() noexcept { return allocations_ ? &*allocations_ : nullptr; }
  // Returns what the runtime starts with. REQUIRES: start() was called.
  RuntimeClass::Threads threads_to_start() noexcept {
    RuntimeClass::Threads threads{.recorder = *this};
    for (Measure* measure : active_) measure->ask_for(threads);
    return threads;
  }
  // Returns whether exceptions are counted by probes.
  bool probes_throws() const noexcept { return throws_.has_value(); }
  // Returns the measures of the columns, in the form for reports. `tree`: the one that they are laid on. `threads`: the
  // threads of the report.
  std::vector<report::ProgramTables::Measure> measures(
      std::vector<cct::MeasuredColumn> columns, const cct::ContextTree& tree,
      std::span<const shadowstack::ThreadRow> threads) const;
  // Returns the time line so far; without rows unless CPU time is measured.
  report::ReportAbout::TimeLine timeline() const {
    return time_ ? time_->timeline() : report::ReportAbout::TimeLine();
  }
  // Returns sentences for the report. REQUIRES: close() was called.
  std::vector<std::string> notes() const;

  shadowstack::ThreadHeader* attach(std::int64_t runtime_thread_id,
                                    std::string_view name) noexcept override {
    return threads_->attach(runtime_thread_id, name);
  }
  void rename(shadowstack::ThreadHeader* header, std::string_view name) noexcept override {
    threads_->rename(header, name);
  }
  void park(shadowstack::ThreadHeader* header) noexcept override { threads_->park(header); }
  void add(events::EventKind kind, std::uint64_t word, shadowstack::ThreadHeader* header,
           std::uint64_t weight, MethodId object) override;
  void lose(events::EventKind kind) noexcept override;
  EventObjects* objects() noexcept override { return &objects_; }
  std::uint64_t word_in(MethodId callee, std::uint64_t word,
                        shadowstack::ThreadHeader& header) override;

  void detach(shadowstack::ThreadHeader* header) noexcept override;
  void close() noexcept override {
    stop();
    close_threads();
  }
  // The two parts of close(). The second calls neither JNI nor JVMTI.
  void stop() noexcept;
  void close_threads() noexcept;

  std::uint64_t calls_seen() const noexcept override { return threads_->calls_seen(); }
  std::uint64_t calls_lost() const noexcept override { return threads_->calls_lost(); }
  std::uint64_t packets() const noexcept override { return threads_->packets(); }
  std::vector<shadowstack::ThreadRow> threads() const override { return threads_->threads(); }

 private:
  using Measured = report::ProgramTables::Measure;
  // Columns of a kind of events: the weights, if events have any, then the number of events.
  struct Columns {
    events::EventKind kind;
    std::size_t first;
    bool has_weight;
    std::uint64_t scale;
    std::atomic<std::uint64_t> weight{0};  // so far, in all contexts

    Columns(events::EventKind its_kind, std::size_t at, bool weighs, std::uint64_t its_scale)
        : kind(its_kind), first(at), has_weight(weighs), scale(its_scale) {}
    std::size_t counted() const noexcept { return first + (has_weight ? 1 : 0); }
  };

  MethodId object_of_type(std::int32_t type);
  void add_columns(events::EventKind kind);
  void add_wall_columns();
  const Columns* columns_of(events::EventKind kind) const noexcept;
  Columns* columns_of(events::EventKind kind) noexcept;
  Status start_allocations(JNIEnv* jni);
  void make_allocations();
  void make_wall_clock(RecordedMethods& methods);
  std::function<void(const shadowstack::ThreadHeader&)> before_slices();
  void add_unsampled_time();
  void add_at(events::EventKind kind, const shadowstack::ThreadHeader* header,
              const shadowstack::ThreadPlace& place, std::uint64_t weight, MethodId object,
              const shadowstack::CodePlace* code = nullptr) noexcept;
  void weigh_samples(Measured& time, Measured& samples) const;
  void drop_unweighed(Measured& time, const Measured& samples, const cct::ContextTree& tree) const;
  static void weigh_part(const Measured& time, const Measured& samples, Measured& ns,
                         Measured& counted);

  const Run& run_;
  EventObjects objects_;
  std::vector<cct::MeasureName> columns_;
  std::deque<Columns> kinds_;
  std::mutex objects_by_type_mutex_;
  std::unordered_map<std::int32_t, MethodId>
      objects_by_type_;  // stand-ins for allocations, by type number
  std::optional<WallContexts::Columns> wall_;
  MethodId no_recorded_caller_ = kNoMethod;
  MethodId other_threads_ = kNoMethod;
  std::array<MethodId, kJvmDuties.size()> jvm_threads_{};

  shadowstack::ThreadRecorder* threads_ = nullptr;  // set by start(), like contexts_
  cct::MeasuredThreads* contexts_ = nullptr;
  std::unique_ptr<WallContexts> wall_contexts_;  // nullptr if none, like wall_clock_
  std::unique_ptr<WallClock> wall_clock_;
  std::optional<ProcessorTime> time_;  // this and later members have threads that use earlier ones
  std::optional<TreeAllocations> allocations_;
  std::optional<ProbedThrows> throws_;
  std::vector<Measure*> active_;  // of the members above, in the order of notes
};

}  // namespace copse::jvm
