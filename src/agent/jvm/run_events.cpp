#include "agent/jvm/run_events.h"

#include <utility>

#include "agent/run_description.h"

namespace copse {
namespace {

// The longest that an event waits for its block.
constexpr std::uint64_t kLongestWaitMs = 1000;

}  // namespace

bool RunEvents::are_wanted(const AgentOptions& options) { return !options.event_file.empty(); }

Status RunEvents::append_to(const std::string& path, const trace::ProgramInfo& program,
                            MethodTable& methods) {
  Result<std::unique_ptr<EventWriter>> writer =
      EventWriter::create(path, [this](std::uint64_t id) { return ids_.tables()->decode(id); });
  if (!writer.ok()) return writer.status();
  if (Status status = (*writer)->write_program(program); !status) return status;
  log_ = std::make_unique<EventLog>(
      std::move(writer).value(), EventLog::News{[&methods] { return methods.take_new_names(); },
                                                [&methods] { return methods.take_new_skips(); }});
  ids_.keep_events(log_.get());
  return {};
}

ThreadRecorder& RunEvents::threads() {
  if (threads_ == nullptr) threads_ = std::make_unique<EventThreads>(ids_.threads(), log_.get());
  return *threads_;
}

Status RunEvents::start() {
  if (log_ == nullptr) return {};
  return writing_.start("copse-events", kLongestWaitMs, [this] { write_waiting(); });
}

void RunEvents::stop() noexcept { writing_.stop(); }

void RunEvents::write_waiting() noexcept {
  threads_->for_each_live([this](EventThread& thread) { log_->collect(thread); });
  log_->write();
}

EventLog::Finished RunEvents::finish(double wall_ms) {
  write_waiting();
  return log_->finish(wall_ms, recording_notes(options_));
}

}  // namespace copse
