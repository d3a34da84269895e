#include "agent/jvm/measures/run_events.h"

#include <new>
#include <utility>
#include <vector>

#include "agent/run_description.h"

namespace copse::jvm {
namespace {

// The longest that an event waits for its block.
constexpr std::uint64_t kLongestEventWaitMs = 1000;
// The longest that an allocation waits in its thread's table, where a killed JVM takes it along.
constexpr std::uint64_t kLongestAllocationWaitMs = 100;

}  // namespace

bool RunEvents::are_wanted(const agent::AgentOptions& options) {
  return !agent::event_file_of(options).empty() || agent::measures(options, "alloc=exact") ||
         agent::reads_id_words(options);
}

RunEvents::RunEvents(const Run& run, ids::ContextIds& ids, RecordedMethods& methods)
    : run_(run), ids_(ids), methods_(methods) {
  if (agent::measures(run.options, "alloc=exact")) {
    allocations_ = std::make_unique<ids::AllocationCounts>(ids);
  }
  if (!agent::measures(run.options, "cpu")) return;
  time_.emplace(run, [this](events::EventKind kind, const sampling::Sample& sample,
                            const shadowstack::CodePlace* code, std::uint64_t ns) {
    const std::uint64_t word = corrected(sample.place.word, code);
    ids_.add_event(kind, word, {ns}, events::event_thread_of(sample.header));
  });
}

std::uint64_t RunEvents::corrected(std::uint64_t word,
                                   const shadowstack::CodePlace* code) const noexcept {
  try {
    return code == nullptr ? word : ids_.corrected(word, *code);
  } catch (const std::bad_alloc&) {
    return word;
  }
}

Status RunEvents::append_to(const std::string& path, const trace::ProgramInfo& program,
                            NewNames& names, const events::OutsideMethods& outside) {
  Result<std::unique_ptr<events::EventWriter>> writer = events::EventWriter::create(
      path,
      {.number_of = [this](std::uint64_t id) { return ids_.number_of_public(id); },
       .steps = ids_.steps()},
      outside);
  if (!writer.ok()) return writer.status();
  if (Status status = (*writer)->write_program(program); !status) return status;
  constexpr auto kReader = NewNames::Reader::kEventFile;
  const auto start_of = [this](std::int64_t thread) -> std::optional<events::LoggedStart> {
    const std::optional<ids::ThreadOrigin> origin = ids_.origin_of(thread);
    if (!origin) return std::nullopt;
    return events::LoggedStart{origin->starter, origin->id, origin->site};
  };
  log_ = std::make_unique<events::EventLog>(
      std::move(writer).value(),
      events::EventLog::News{[&names] { return names.names(kReader); },
                             [&names] { return names.skips(kReader); }, start_of});
  ids_.keep_events(log_.get());
  return {};
}

shadowstack::ThreadRecorder& RunEvents::threads() {
  if (threads_ != nullptr) return *threads_;
  threads_ = std::make_unique<events::EventThreads>(ids_.threads(), log_.get());
  threads_->before_end([this](shadowstack::ThreadHeader& header) {
    for (Measure* measure : active_) measure->end(header);
  });
  threads_->at_end([this](events::EventThread& thread) {
    if (allocations_ != nullptr) allocations_->end(thread);
  });
  return *threads_;
}

Status RunEvents::start(JNIEnv* jni) {
  const bool all = agent::measures(run_.options, "wall");
  if (all || agent::measures(run_.options, "locks")) {
    wall_ = std::make_unique<WallEvents>(run_, ids_, methods_, *threads_, all);
    wall_clock_ = std::make_unique<WallClock>(run_, *wall_);
    active_.push_back(wall_clock_.get());
  }
  if (time_) active_.push_back(&*time_);
  for (Measure* measure : active_) {
    if (Status status = measure->start(jni); !status) return status;
  }
  return {};
}

RuntimeClass::Threads RunEvents::threads_to_start() {
  RuntimeClass::Threads threads{.recorder = *threads_};
  for (Measure* measure : active_) measure->ask_for(threads);
  return threads;
}

Status RunEvents::start_counting(JNIEnv* jni) {
  Status status;
  if (log_ != nullptr) {
    status = writing_.start("copse-events", kLongestEventWaitMs, [this] { collect(); });
  }
  if (allocations_ != nullptr && !run_.options.keep.empty() && status.ok()) {
    status = collecting_.start("copse-allocs", kLongestAllocationWaitMs,
                               [this] { collect_allocations(); });
  }
  for (Measure* measure : active_) {
    if (status.ok()) status = measure->start_counting(jni);
  }
  return status;
}

void RunEvents::count_waiting() noexcept {
  for (Measure* measure : active_) measure->count_waiting();
  collect_allocations();
}

void RunEvents::collect_allocations() noexcept {
  if (allocations_ == nullptr) return;
  threads_->for_each_live([this](events::EventThread& thread) { allocations_->collect(thread); });
}

void RunEvents::stop() noexcept {
  writing_.stop();
  collecting_.stop();
  for (Measure* measure : active_) measure->stop();
  if (time_ && time_->is_started()) add_time_without_context();
  collect();
}

// So that the sum is all that the process used. What is not sampled may all be the program's.
void RunEvents::add_time_without_context() noexcept {
  const sampling::CpuTimers::Totals used = time_->totals();
  const std::vector<CodePart>& parts = time_->parts();
  const auto add_outside = [this, &parts](events::Outside where, std::uint64_t ns) {
    if (ns == 0) return;
    ids_.add_event_outside(events::EventKind::kCpu, where, {ns, 0}, nullptr);
    for (const CodePart& part : parts) {
      if (part.has_unsampled) ids_.add_event_outside(part.kind, where, {ns, 0}, nullptr);
    }
  };
  add_outside(events::Outside::kAfterLastSample, used.processor_ns - used.sampled_ns);
  add_outside(events::Outside::kOtherThreads, time_->other_threads_ns());
  if (used.lost == 0) return;
  ids_.lose_events(events::EventKind::kCpu, {used.lost_ns, used.lost});
  for (const CodePart& part : parts) ids_.lose_events(part.kind, {used.lost_ns, used.lost});
}

std::vector<std::string> RunEvents::notes() const {
  std::vector<std::string> notes;
  for (const Measure* measure : active_) {
    for (std::string& note : measure->notes()) notes.push_back(std::move(note));
  }
  return notes;
}

void RunEvents::collect() noexcept {
  threads_->for_each_live([this](events::EventThread& thread) {
    if (allocations_ != nullptr) allocations_->collect(thread);
    if (log_ != nullptr) log_->collect(thread);
  });
  if (log_ == nullptr) return;
  log_->collect_unknown();
  log_->write();
}

events::EventLog::Finished RunEvents::finish(double wall_ms) {
  threads_->for_each_live([this](events::EventThread& thread) { log_->collect(thread); });
  log_->collect_unknown();
  return log_->finish(wall_ms, agent::recording_notes(run_.options));
}

}  // namespace copse::jvm
