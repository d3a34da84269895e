#include "agent/jvm/measures/run_events.h"

#include <utility>
#include <vector>

#include "agent/run_description.h"

namespace copse::jvm {
namespace {

// The longest that an event waits for its block.
constexpr std::uint64_t kLongestEventWaitMs = 1000;
// The longest that an allocation waits in its thread's table, where a killed JVM takes it along.
constexpr std::uint64_t kLongestAllocationWaitMs = 100;

std::vector<CodePart> code_parts_of(const agent::AgentOptions& options) {
  std::vector<CodePart> parts;
  for (const CodePart& part : kCodeParts) {
    if (ProcessorTime::is_asked_for(part, options)) parts.push_back(part);
  }
  return parts;
}

}  // namespace

bool RunEvents::are_wanted(const agent::AgentOptions& options) {
  return !agent::event_file_of(options).empty() || agent::measures(options, "alloc=exact") ||
         agent::reads_id_words(options);
}

RunEvents::RunEvents(const Run& run, context_id::ContextIds& ids) : run_(run), ids_(ids) {
  if (agent::measures(run.options, "alloc=exact")) {
    allocations_ = std::make_unique<context_id::AllocationCounts>(ids);
  }
  if (agent::measures(run.options, "cpu")) time_.emplace(run);
}

Status RunEvents::append_to(const std::string& path, const trace::ProgramInfo& program,
                            NewNames& names, const events::OutsideMethods& outside) {
  Result<std::unique_ptr<events::EventWriter>> writer = events::EventWriter::create(
      path, [this](std::uint64_t id) { return ids_.decode_public(id); }, outside);
  if (!writer.ok()) return writer.status();
  if (Status status = (*writer)->write_program(program); !status) return status;
  constexpr auto kReader = NewNames::Reader::kEventFile;
  log_ = std::make_unique<events::EventLog>(
      std::move(writer).value(), events::EventLog::News{[&names] { return names.names(kReader); },
                                                        [&names] { return names.skips(kReader); }});
  ids_.keep_events(log_.get());
  return {};
}

shadowstack::ThreadRecorder& RunEvents::threads() {
  if (threads_ != nullptr) return *threads_;
  threads_ = std::make_unique<events::EventThreads>(ids_.threads(), log_.get());
  threads_->before_end([this](shadowstack::ThreadHeader& header) {
    if (timers() != nullptr) time_->end(header);
  });
  threads_->at_end([this](events::EventThread& thread) {
    if (allocations_ != nullptr) allocations_->end(thread);
  });
  return *threads_;
}

Status RunEvents::start_time(JNIEnv* jni) {
  if (!time_) return {};
  return time_->start(jni, [this, parts = code_parts_of(run_.options)](
                               const sampling::Sample& sample, std::uint64_t ns, CodeKind code) {
    events::EventThread* const thread = events::event_thread_of(sample.header);
    ids_.add_event(events::EventKind::kCpu, sample.place.word, {ns}, thread);
    for (const CodePart& part : parts) {
      if (part.has(code)) ids_.add_event(part.kind, sample.place.word, {ns}, thread);
    }
  });
}

bool RunEvents::looks_at_threads() const {
  return agent::measures(run_.options, "wall") || agent::measures(run_.options, "locks");
}

Status RunEvents::start(JNIEnv* jni) {
  Status status;
  if (log_ != nullptr) {
    status = writing_.start("copse-events", kLongestEventWaitMs, [this] { collect(); });
  }
  if (allocations_ != nullptr && !run_.options.keep.empty() && status.ok()) {
    status = collecting_.start("copse-allocs", kLongestAllocationWaitMs,
                               [this] { collect_allocations(); });
  }
  if (status.ok() && looks_at_threads()) {
    const bool all = agent::measures(run_.options, "wall");
    wall_ = std::make_unique<WallEvents>(run_, ids_, *threads_, all);
    wall_clock_ = std::make_unique<WallClock>(run_, *wall_);
    status = wall_clock_->start(jni);
  }
  if (timers() != nullptr && status.ok()) status = time_->start_counting(jni);
  return status;
}

void RunEvents::count_waiting() noexcept {
  if (timers() != nullptr) timers()->drain();
  collect_allocations();
}

void RunEvents::collect_allocations() noexcept {
  if (allocations_ == nullptr) return;
  threads_->for_each_live([this](events::EventThread& thread) { allocations_->collect(thread); });
}

void RunEvents::stop() noexcept {
  writing_.stop();
  collecting_.stop();
  if (wall_clock_ != nullptr) wall_clock_->stop();
  if (timers() != nullptr) {
    time_->stop();
    add_time_without_context();
  }
  collect();
}

// So that the sum is all that the process used. What is not sampled may all be the program's.
void RunEvents::add_time_without_context() noexcept {
  const sampling::CpuTimers::Totals used = time_->totals();
  const std::vector<CodePart> parts = code_parts_of(run_.options);
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
  if (wall_clock_ != nullptr) {
    const bool all = agent::measures(run_.options, "wall");
    notes.push_back(wall_clock_->note(all ? "Time by the wall clock" : "Time parked"));
  }
  if (!time_) return notes;
  for (std::string& note : time_->notes()) notes.push_back(std::move(note));
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
