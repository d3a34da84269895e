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

RunEvents::RunEvents(const agent::AgentOptions& options, context_id::ContextIds& ids)
    : options_(options), ids_(ids) {
  if (agent::has_event(options, events::info_of(events::EventKind::kExactAllocation).name)) {
    allocations_ = std::make_unique<context_id::AllocationCounts>(ids);
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
  if (agent::has_event(options_, events::info_of(events::EventKind::kCpu).name)) {
    sampler_ = std::make_unique<context_id::CpuSampler>(*threads_, ids_);
  }
  threads_->at_end([this](events::EventThread& thread) {
    if (allocations_ != nullptr) allocations_->end(thread);
    if (sampler_ != nullptr) sampler_->end_of(thread);
  });
  return *threads_;
}

Status RunEvents::start() {
  Status status;
  if (log_ != nullptr) {
    status = writing_.start("copse-events", kLongestEventWaitMs, [this] { collect(); });
  }
  if (sampler_ != nullptr && status.ok()) {
    status =
        sampling_.start("copse-sampler", options_.cpu_interval_ms, [this] { sampler_->sample(); });
  }
  return status;
}

void RunEvents::stop() noexcept {
  writing_.stop();
  sampling_.stop();
  if (sampler_ != nullptr) sampler_->sample();
  collect();
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
