#include "agent/jvm/run_events.h"

#include <utility>

#include "agent/run_description.h"

namespace copse::jvm {
namespace {

// The longest that an event waits for its block.
constexpr std::uint64_t kLongestEventWaitMs = 1000;

}  // namespace

bool RunEvents::are_wanted(const agent::AgentOptions& options) {
  return !options.event_file.empty() ||
         agent::has_event(options, events::info_of(events::EventKind::kCpu).name) ||
         agent::has_event(options, events::info_of(events::EventKind::kExactAllocation).name);
}

RunEvents::RunEvents(const Run& run, context_id::ContextIds& ids)
    : options_(run.options), ids_(ids) {
  if (agent::has_event(options_, events::info_of(events::EventKind::kExactAllocation).name)) {
    allocations_ = std::make_unique<context_id::AllocationCounts>(ids);
  }
  if (agent::has_event(options_, events::info_of(events::EventKind::kCpu).name)) {
    time_.emplace(run);
  }
}

Status RunEvents::append_to(const std::string& path, const trace::ProgramInfo& program,
                            MethodTable& methods, const events::OutsideMethods& outside) {
  Result<std::unique_ptr<events::EventWriter>> writer = events::EventWriter::create(
      path, [this](std::uint64_t id) { return ids_.decode_public(id); }, outside);
  if (!writer.ok()) return writer.status();
  if (Status status = (*writer)->write_program(program); !status) return status;
  log_ = std::make_unique<events::EventLog>(
      std::move(writer).value(),
      events::EventLog::News{[&methods] { return methods.take_new_names(); },
                             [&methods] { return methods.take_new_skips(); }});
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
  return time_->start(jni, [this](const sampling::Sample& sample, std::uint64_t ns) {
    ids_.add_event(events::EventKind::kCpu, sample.place.word, {ns},
                   events::event_thread_of(sample.header));
  });
}

Status RunEvents::start() {
  Status status;
  if (log_ != nullptr) {
    status = writing_.start("copse-events", kLongestEventWaitMs, [this] { collect(); });
  }
  if (timers() != nullptr && status.ok()) status = time_->start_counting();
  return status;
}

void RunEvents::stop() noexcept {
  writing_.stop();
  if (timers() != nullptr) {
    time_->stop();
    add_time_without_context();
  }
  collect();
}

// So that the sum is all that the process used.
void RunEvents::add_time_without_context() noexcept {
  const sampling::CpuTimers::Totals used = time_->totals();
  const auto add_outside = [this](events::Outside where, std::uint64_t ns) {
    if (ns == 0) return;
    ids_.add_event_outside(events::EventKind::kCpu, where, {ns, 0}, nullptr);
  };
  add_outside(events::Outside::kAfterLastSample, used.processor_ns - used.sampled_ns);
  add_outside(events::Outside::kOtherThreads, time_->other_threads_ns());
  if (used.lost != 0) ids_.lose_events(events::EventKind::kCpu, {used.lost_ns, used.lost});
}

std::vector<std::string> RunEvents::notes() const {
  return time_ ? time_->notes() : std::vector<std::string>();
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
  return log_->finish(wall_ms, agent::recording_notes(options_));
}

}  // namespace copse::jvm
