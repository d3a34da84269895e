#include "trace/trace_sink.h"

#include <chrono>
#include <new>
#include <utility>

namespace copse::trace {

namespace {

constexpr std::chrono::seconds kLongestWait{1};

}  // namespace

TraceSink::TraceSink(std::unique_ptr<TraceWriter> writer, shadowstack::PacketPool& pool,
                     NewNames new_names)
    : pool_(pool),
      new_names_(std::move(new_names)),
      writer_(std::move(writer)),
      thread_([this] { write_until_told(); }) {}

TraceSink::~TraceSink() { stop(); }

void TraceSink::submit(shadowstack::Packet* packet) noexcept {
  if (add(packet)) return;
  calls_not_queued_.fetch_add(packet->count, std::memory_order_relaxed);
  pool_.release(packet);
}

bool TraceSink::help() noexcept { return write_next(); }

void TraceSink::thread_started(ThreadIndex thread, std::int64_t runtime_id,
                               std::string_view name) noexcept {
  add_row(ThreadChange::kStart, thread, runtime_id, name);
}

void TraceSink::thread_renamed(ThreadIndex thread, std::int64_t runtime_id,
                               std::string_view name) noexcept {
  add_row(ThreadChange::kName, thread, runtime_id, name);
}

void TraceSink::thread_ended(ThreadIndex thread) noexcept {
  add_row(ThreadChange::kEnd, thread, 0, {});
}

void TraceSink::add_row(ThreadChange change, ThreadIndex thread, std::int64_t runtime_id,
                        std::string_view name) noexcept {
  try {
    add(ThreadRow{change, {thread, runtime_id, std::string(name)}});
  } catch (const std::bad_alloc&) {
    // The reader starts a thread by itself; a name is missing.
  }
}

// Returns false when there is no memory for the queue itself.
bool TraceSink::add(Item item) noexcept {
  try {
    const std::lock_guard lock(queue_mutex_);
    queue_.push_back(std::move(item));
  } catch (const std::bad_alloc&) {
    return false;
  }
  queued_.notify_one();
  return true;
}

void TraceSink::write_until_told() noexcept {
  for (;;) {
    {
      std::unique_lock lock(queue_mutex_);
      const auto wanted = [this] { return told_to_stop_ || !queue_.empty(); };
      if (!queued_.wait_for(lock, kLongestWait, wanted)) {
        lock.unlock();
        const std::lock_guard writing(writer_mutex_);
        writer_->flush();
        lock.lock();
        queued_.wait(lock, wanted);
      }
      if (told_to_stop_) return;
    }
    write_next();
  }
}

// Takes the next item and writes it before another is taken: the file keeps the queue's order.
bool TraceSink::write_next() noexcept {
  const std::lock_guard writing(writer_mutex_);
  Item item;
  {
    const std::lock_guard lock(queue_mutex_);
    if (queue_.empty()) return false;
    item = std::move(queue_.front());
    queue_.pop_front();
  }
  try {
    write(item);
  } catch (const std::bad_alloc&) {
    writer_->give_up("out of memory");
  }
  if (shadowstack::Packet** packet = std::get_if<shadowstack::Packet*>(&item); packet != nullptr)
    pool_.release(*packet);
  return true;
}

void TraceSink::write(const Item& item) {
  Status status;
  if (const auto* row = std::get_if<ThreadRow>(&item); row != nullptr) {
    status = writer_->write_thread(*row);
  } else {
    const Status named = writer_->write_names(new_names_());
    status = writer_->write_packet(*std::get<shadowstack::Packet*>(item));
    if (!named.ok()) status = named;
  }
  if (first_failure_.ok()) first_failure_ = std::move(status);
}

void TraceSink::stop() noexcept {
  {
    const std::lock_guard lock(queue_mutex_);
    told_to_stop_ = true;
  }
  queued_.notify_one();
  if (thread_.joinable()) thread_.join();
}

TraceSink::Finished TraceSink::finish(EndInfo end) {
  stop();
  while (write_next()) {
  }
  const std::lock_guard writing(writer_mutex_);
  const std::uint64_t not_queued = calls_not_queued_.load(std::memory_order_relaxed);
  end.calls_lost += not_queued;
  writer_->flush();
  if (first_failure_.ok()) first_failure_ = writer_->failure();
  Finished finished;
  finished.end_written = writer_->finish(std::move(end));
  finished.first_failure = first_failure_;
  finished.bytes = writer_->bytes();
  finished.calls_lost = not_queued + writer_->calls_lost();
  return finished;
}

}  // namespace copse::trace
