#include "encoders/events/event_log.h"

#include <new>

namespace copse::events {

std::uint64_t EventLog::now_ns() const noexcept {
  return static_cast<std::uint64_t>(std::chrono::duration_cast<std::chrono::nanoseconds>(
                                        std::chrono::steady_clock::now() - started_)
                                        .count());
}

void EventLog::add(EventThread* known, LoggedEvent event) noexcept {
  Seen& seen = seen_[static_cast<std::size_t>(event.kind)];
  seen.events.fetch_add(event.count, std::memory_order_relaxed);
  seen.weight.fetch_add(event.weight, std::memory_order_relaxed);
  EventThread& thread = known != nullptr ? *known : unknown_thread_;
  const std::lock_guard own(thread.mutex);
  try {
    event.time_ns = now_ns();
    thread.waiting.push_back(event);
  } catch (const std::bad_alloc&) {
    return;
  }
  if (thread.waiting.size() < kEventsPerBlock) return;
  make_block(thread);
  write();
}

void EventLog::collect(EventThread& thread) noexcept {
  const std::lock_guard own(thread.mutex);
  if (!thread.waiting.empty()) make_block(thread);
}

void EventLog::end(EventThread& thread) noexcept {
  collect(thread);
  const std::lock_guard own(thread.mutex);
  std::vector<LoggedEvent>().swap(thread.waiting);
}

void EventLog::make_block(EventThread& thread) noexcept {
  const std::lock_guard lock(writer_mutex_);
  try {
    (void)writer_->write_names(news_.names());
    (void)writer_->write_skipped(news_.skipped());
    if (!thread.is_in_file) {
      (void)writer_->write_starts_to(thread.runtime_id, news_.start_of);
      (void)writer_->write_thread(
          {trace::ThreadChange::kStart, {thread.index, thread.runtime_id, thread.name}});
      thread.is_in_file = true;
    }
    (void)writer_->write_events(thread.index, thread.waiting);
  } catch (const std::bad_alloc&) {
    writer_->give_up("out of memory");
  }
  thread.waiting.clear();
}

void EventLog::write() noexcept {
  const std::lock_guard lock(writer_mutex_);
  writer_->flush();
}

EventLog::Finished EventLog::finish(double wall_ms, std::vector<std::string> notes) {
  const std::lock_guard lock(writer_mutex_);
  EventFileEnd end;
  end.wall_ms = wall_ms;
  end.notes = std::move(notes);
  if (!writer_->undecoded().empty()) end.notes.push_back("DEFECT: " + writer_->undecoded());
  std::uint64_t seen = 0;
  for (std::size_t kind = 0; kind < kEventKinds; ++kind) {
    end.totals[kind].seen = seen_[kind].events.load();
    end.totals[kind].seen_weight = seen_[kind].weight.load();
    seen += end.totals[kind].seen;
  }
  (void)writer_->write_skipped(news_.skipped());
  writer_->flush();
  Finished finished;
  finished.failure = writer_->failure();
  finished.end_written = writer_->finish(end);
  for (const EventTotals& totals : end.totals) finished.events += totals.in_file;
  finished.lost = seen - finished.events;
  finished.bytes = writer_->bytes();
  return finished;
}

}  // namespace copse::events
