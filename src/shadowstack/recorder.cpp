#include "shadowstack/recorder.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <new>
#include <utility>

#include "base/make_room.h"
#include "shadowstack/thread_state.h"

namespace copse {
namespace {

std::uint64_t address(const CallRecord* slot) noexcept {
  return reinterpret_cast<std::uint64_t>(slot);
}

std::uint64_t load_cursor(const ThreadHeader& header) noexcept {
  // Acquire pairs with the release in try_append(); JIT-compiled probes store the record before
  // the cursor, and the processors we run on keep that order.
  return std::atomic_ref<std::uint64_t>(const_cast<ThreadHeader&>(header).cursor)
      .load(std::memory_order_acquire);
}

void store_cursor(ThreadHeader& header, std::uint64_t cursor) noexcept {
  std::atomic_ref<std::uint64_t>(header.cursor).store(cursor, std::memory_order_release);
}

void store_word(ThreadHeader& header, std::uint64_t word) noexcept {
  std::atomic_ref<std::uint64_t>(header.word).store(word, std::memory_order_relaxed);
}

}  // namespace

Recorder::Recorder(PacketPool& pool, PacketSink& sink)
    : pool_(pool),
      sink_(sink),
      scratch_memory_(new CallRecord[std::size_t{2} * pool.slots()]),
      headers_(anonymous_memory()) {
  const std::uint64_t bytes = pool_.packet_bytes();
  scratch_ =
      reinterpret_cast<CallRecord*>((address(scratch_memory_.get()) + bytes - 1) & ~(bytes - 1));
  scratch_state_ = std::make_unique<ThreadState>();
  scratch_state_->header = headers_.add();
  if (scratch_state_->header == nullptr) throw std::bad_alloc();
  scratch_state_->header->state = scratch_state_.get();
}

Recorder::~Recorder() {
  for (const auto& state : states_) {
    if (state->packet != nullptr) pool_.release(state->packet);
  }
}

ThreadState* Recorder::new_state() {
  auto state = std::make_unique<ThreadState>();
  // Room for all, so that detach() never allocates.
  make_room(free_states_, states_.size() + 1);
  make_room(states_, states_.size() + 1);
  state->header = headers_.add();
  if (state->header == nullptr) throw std::bad_alloc();
  state->header->state = state.get();
  states_.push_back(std::move(state));
  return states_.back().get();
}

ThreadHeader* Recorder::attach(std::int64_t runtime_thread_id, std::string_view name) noexcept {
  const std::lock_guard lock(mutex_);
  try {
    const ThreadIndex index = rows_.add(runtime_thread_id, name);
    ThreadState* state = nullptr;
    if (free_states_.empty()) {
      state = new_state();
    } else {
      state = free_states_.back();
      free_states_.pop_back();
    }
    const std::lock_guard state_lock(state->mutex);
    state->live = true;
    state->closed = closed_;
    state->chain_known = true;
    state->index = index;
    state->first_key = 0;
    state->calls = 0;
    state->sequence = 0;
    sink_.thread_started(index, runtime_thread_id, name);
    return state->header;
  } catch (const std::bad_alloc&) {
    return scratch_state_->header;
  }
}

// Records before the cursor, whose packet may be full.
std::uint32_t Recorder::appended(const ThreadHeader& header) const noexcept {
  const std::uint64_t cursor = load_cursor(header);
  if (cursor == 0) return 0;
  const std::uint64_t used = cursor & (pool_.packet_bytes() - 1);
  return static_cast<std::uint32_t>((used == 0 ? pool_.packet_bytes() : used) /
                                    sizeof(CallRecord)) -
         1;
}

std::uint64_t Recorder::first_slot(const ThreadState& state) const noexcept {
  return address((state.packet != nullptr ? state.packet->slots : scratch_) + 1);
}

std::uint64_t Recorder::next_packet(ThreadHeader* header) noexcept {
  ThreadState& state = *header->state;
  const std::lock_guard lock(state.mutex);
  if (!state.closed) {
    const std::uint32_t count = drop_flushed(state, appended(*header));
    if (state.packet == nullptr) {
      lose(state, count);
      if (&state != scratch_state_.get()) state.packet = first_packet();
    } else if (Packet* next = pool_.acquire(sink_); next == nullptr) {
      if (count != 0) lose_packet(state, count);
    } else if (hand_over(state, state.packet, count)) {
      state.packet = next;
    } else {
      pool_.release(next);
    }
  } else if (state.packet == nullptr && &state != scratch_state_.get()) {
    state.packet = first_packet();
  }
  const std::uint64_t cursor = first_slot(state);
  store_cursor(*header, cursor);
  return cursor;
}

// For a thread that has none.
Packet* Recorder::first_packet() noexcept {
  pool_.add_holder();
  Packet* packet = pool_.acquire(sink_);
  if (packet == nullptr) pool_.remove_holder();
  return packet;
}

// Ends a thread's use of its packet, with the first `count` records handed over unless recording
// has ended. The thread must not run.
void Recorder::take_packet(ThreadState& state, std::uint32_t count) noexcept {
  if (state.packet != nullptr) count = drop_flushed(state, count);
  Packet* packet = std::exchange(state.packet, nullptr);
  store_cursor(*state.header, 0);
  if (packet == nullptr) return;
  if (state.closed || !hand_over(state, packet, count)) pool_.release(packet);
  pool_.remove_holder();
}

void Recorder::park(ThreadHeader* header) noexcept {
  ThreadState& state = *header->state;
  if (&state == scratch_state_.get() || !pool_.has_many_holders()) return;
  const std::lock_guard lock(state.mutex);
  // Without a packet it may be using the scratch one, whose records are lost when it asks again.
  if (state.packet != nullptr) take_packet(state, appended(*header));
}

// The first `count` records of the thread's packet, at least one. The chain follows them even when
// nobody can keep them.
void Recorder::lose_packet(ThreadState& state, std::uint32_t count) noexcept {
  FrameChain chain;
  std::uint32_t min_depth = 0;
  const std::span<const CallRecord> records(state.packet->slots + 1, count);
  const bool kept = state.chain.advance(records, chain, min_depth);
  state.chain_known = kept && (state.chain_known || min_depth == 0);
  state.chain = std::move(chain);
  ++state.sequence;  // the next packet does not continue the last one that was handed over
  calls_seen_.fetch_add(count, std::memory_order_relaxed);
  calls_lost_.fetch_add(count, std::memory_order_relaxed);
  state.calls += count;
}

// Records of a packet that was never one of the pool's: not even the chain can be followed, since
// other threads may have written there.
void Recorder::lose(ThreadState& state, std::uint32_t count) noexcept {
  if (count == 0) return;
  state.chain = FrameChain();
  state.chain_known = false;
  ++state.sequence;
  state.calls += count;
  calls_seen_.fetch_add(count, std::memory_order_relaxed);
  calls_lost_.fetch_add(count, std::memory_order_relaxed);
}

// Hands `packet` with its first `count` records to the sink; false when it stays the thread's,
// because nobody knows the frames its records hang under.
bool Recorder::hand_over(ThreadState& state, Packet* packet, std::uint32_t count) noexcept {
  if (count == 0) return false;
  packet->count = count;
  const std::span<const CallRecord> records = packet->records();
  FrameChain after;
  const bool kept = state.chain.advance(records, after, packet->min_depth);
  const bool known =
      std::exchange(state.chain_known, kept && (state.chain_known || packet->min_depth == 0));
  packet->start = std::exchange(state.chain, std::move(after));
  packet->thread = state.index;
  packet->sequence = state.sequence++;
  packet->first_call = state.calls;
  if (state.first_key == 0 && packet->min_depth == 0) {
    const auto first = std::find_if(records.begin(), records.end(),
                                    [](CallRecord record) { return depth_of(record) == 0; });
    if (first != records.end()) state.first_key = key_of(*first);
  }
  state.calls += count;
  calls_seen_.fetch_add(count, std::memory_order_relaxed);
  packets_.fetch_add(1, std::memory_order_relaxed);
  if (!known) {
    calls_lost_.fetch_add(count, std::memory_order_relaxed);
    return false;
  }
  sink_.submit(packet);
  return true;
}

void Recorder::rename(ThreadHeader* header, std::string_view name) noexcept {
  const std::lock_guard lock(mutex_);
  ThreadState& state = *header->state;
  const std::lock_guard state_lock(state.mutex);
  if (!state.live) return;
  sink_.thread_renamed(state.index, rows_.runtime_id(state.index), name);
  rows_.rename(state.index, name);
}

void Recorder::detach(ThreadHeader* header) noexcept {
  ThreadState& state = *header->state;
  if (&state == scratch_state_.get()) return;  // other threads may be using it
  ContextKey first_key = 0;
  std::uint64_t calls = 0;
  {
    const std::lock_guard lock(state.mutex);
    const std::uint32_t count = appended(*header);
    if (!state.closed && state.packet == nullptr) lose(state, count);
    take_packet(state, count);
    state.chain = FrameChain();
    first_key = state.first_key;
    calls = state.calls;
    store_word(*header, 0);
  }
  const std::lock_guard lock(mutex_);
  const std::lock_guard state_lock(state.mutex);
  rows_.set_calls(state.index, first_key, calls);
  rows_.end(state.index);
  sink_.thread_ended(state.index);
  state.live = false;
  free_states_.push_back(&state);
}

// Leaves the packet with the records that were not handed over, at its start; of the `count` it had
// these are the rest. Called by: the header's thread, or for one that has ended.
std::uint32_t Recorder::drop_flushed(ThreadState& state, std::uint32_t count) noexcept {
  const std::uint32_t flushed = std::exchange(state.flushed, 0);
  if (flushed == 0) return count;
  std::memmove(state.packet->slots + 1, state.packet->slots + 1 + flushed,
               (count - flushed) * sizeof(CallRecord));
  return count - flushed;
}

// The packet stays the thread's, which may still be appending; so a copy is to be handed over, of
// the first `count` records without those handed over before, which `count` is then less by. Null
// when there is none, or no memory.
Packet* Recorder::copy_of_appended(ThreadState& state, std::uint32_t& count) noexcept {
  count -= state.flushed;
  Packet* copy = count == 0 || state.packet == nullptr ? nullptr : pool_.acquire(sink_);
  if (copy == nullptr) return nullptr;
  std::memcpy(copy->slots + 1, state.packet->slots + 1 + state.flushed, count * sizeof(CallRecord));
  return copy;
}

void Recorder::close_thread(ThreadState& state) noexcept {
  const std::lock_guard lock(state.mutex);
  if (std::exchange(state.closed, true)) return;
  std::uint32_t count = appended(*state.header);
  Packet* copy = copy_of_appended(state, count);
  state.flushed = 0;  // what the thread appends from now on is no part of the recording
  if (copy == nullptr) return lose(state, count);
  if (!hand_over(state, copy, count)) pool_.release(copy);
}

void Recorder::flush_thread(ThreadState& state) noexcept {
  const std::lock_guard lock(state.mutex);
  if (state.closed) return;
  std::uint32_t count = appended(*state.header);
  Packet* copy = copy_of_appended(state, count);
  if (copy == nullptr) return;
  if (!hand_over(state, copy, count)) pool_.release(copy);
  state.flushed += count;
}

void Recorder::close() noexcept {
  const std::lock_guard lock(mutex_);
  closed_ = true;
  for (const auto& state : states_) close_thread(*state);
  close_thread(*scratch_state_);
}

void Recorder::flush() noexcept {
  const std::lock_guard lock(mutex_);
  for (const auto& state : states_) flush_thread(*state);
}

std::vector<ThreadRow> Recorder::threads() const {
  const std::lock_guard lock(mutex_);
  ThreadRows rows = rows_;
  for (const auto& state : states_) {
    const std::lock_guard state_lock(state->mutex);
    if (!state->live) continue;
    rows.set_calls(state->index, state->first_key, state->calls);
  }
  return rows.list();
}

}  // namespace copse
