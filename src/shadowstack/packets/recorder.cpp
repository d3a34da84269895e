#include "shadowstack/packets/recorder.h"

#include <algorithm>
#include <cstring>
#include <new>
#include <optional>
#include <utility>

#include "base/make_room.h"
#include "shadowstack/thread_state.h"

namespace copse::shadowstack {
namespace {

constexpr std::size_t kMostStates = std::size_t{1} << 24;

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

// Signal handlers and probes read it on the thread, others anywhere. What is known of the last packet's
// records is of no other's.
void count_packet(ThreadHeader& header) noexcept {
  std::atomic_ref<std::uint64_t>(header.allocating).store(0, std::memory_order_relaxed);
  std::atomic_ref<std::uint64_t>(header.packets).fetch_add(1, std::memory_order_release);
}

// As a thread starts: no call yet, and for probes of ids ROOT.
void clear_words(ThreadHeader& header) noexcept {
  std::atomic_ref<std::uint64_t>(header.word).store(0, std::memory_order_relaxed);
  std::atomic_ref<std::uint64_t>(header.id_word).store(0, std::memory_order_relaxed);
  std::atomic_ref<std::uint64_t>(header.allocating).store(0, std::memory_order_relaxed);
}

// Notes the key of the thread's first call without a recorded caller, if these records have it.
void note_first_key(ThreadPosition& after, std::span<const CallRecord> records,
                    std::uint32_t min_depth) noexcept {
  if (after.first_key != 0 || min_depth != 0) return;
  const auto first = std::find_if(records.begin(), records.end(),
                                  [](CallRecord record) { return depth_of(record) == 0; });
  if (first != records.end()) after.first_key = key_of(*first);
}

}  // namespace

Recorder::Recorder(PacketPool& pool, PacketSink& sink)
    : pool_(pool),
      sink_(sink),
      scratch_memory_(new CallRecord[std::size_t{2} * pool.slots()]),
      headers_(pool.memory()),
      states_(pool.memory(), kMostStates),
      kept_rows_(pool.memory()) {
  const std::uint64_t bytes = pool_.packet_bytes();
  scratch_ =
      reinterpret_cast<CallRecord*>((address(scratch_memory_.get()) + bytes - 1) & ~(bytes - 1));
  if (new_state() == nullptr) throw std::bad_alloc();
  PacketRun& run = pool.run();
  kept_rows_.start(run.threads);
  run.states = reinterpret_cast<std::uint64_t>(states_.data());
  in_this_order();
  run.state_count = states_.size();
}

Recorder::~Recorder() {
  for (std::size_t i = 0; i < states_.size(); ++i) {
    if (Packet* packet = states_[i].position().packet; packet != nullptr) pool_.release(packet);
  }
}

ThreadState* Recorder::new_state() noexcept {
  ThreadHeader* header = headers_.add();
  ThreadState* state = header == nullptr ? nullptr : states_.add();
  if (state == nullptr) return nullptr;
  state->header = header;
  header->state = state;
  in_this_order();
  pool_.run().state_count = states_.size();
  return state;
}

ThreadHeader* Recorder::attach(std::int64_t runtime_thread_id, std::string_view name) noexcept {
  const std::lock_guard lock(mutex_);
  ThreadHeader* unowned = states_[0].header;
  try {
    const ThreadIndex index = rows_.add(runtime_thread_id, name);
    const std::optional<ThreadIndex> row = kept_rows_.begin(runtime_thread_id, name);
    if (!row) return unowned;
    ThreadState* state = nullptr;
    if (free_states_.empty()) {
      make_room(free_states_, states_.size() + 1);  // for all, so that detach() never allocates
      state = new_state();
    } else {
      state = free_states_.back();
      free_states_.pop_back();
    }
    if (state == nullptr) {
      kept_rows_.end(*row);
      return unowned;
    }
    const std::lock_guard state_lock(state->mutex);
    state->live = 1;
    state->index = index;
    state->row = *row;
    state->sequence = 0;
    ThreadPosition start;
    start.closed = closed_ ? 1 : 0;
    start.waits = waits_ ? 1 : 0;
    state->move_to(std::move(start));
    sink_.thread_started(index, runtime_thread_id, name);
    return state->header;
  } catch (const std::bad_alloc&) {
    return unowned;
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

std::uint64_t Recorder::first_slot(const Packet* packet) const noexcept {
  return address((packet != nullptr ? packet->slots : scratch_) + 1);
}

std::uint64_t Recorder::next_packet(ThreadHeader* header) noexcept {
  if (before_packets_go_) before_packets_go_(*header);
  ThreadState& state = *header->state;
  const std::lock_guard lock(state.mutex);
  const bool is_unowned = &state == &states_[0];
  ThreadPosition after = state.next_position();
  Packet* const full = after.packet;
  const std::uint32_t count = appended(*header) - after.flushed;
  std::uint64_t cursor = first_slot(full);
  if (full == nullptr) {
    if (!is_unowned) after.packet = first_packet();
    cursor = first_slot(after.packet);
    lose(state, after.closed != 0 ? 0 : count, std::move(after));
    store_cursor(*header, cursor);
  } else if (after.closed != 0) {
    store_cursor(*header, cursor);
  } else if (Packet* next = pool_.acquire(sink_); next == nullptr) {
    lose_packet(state, count);
    store_cursor(*header, cursor);
    in_this_order();
    state.position().flushed = 0;
    state.position().packet_start = {};
  } else {
    full->first = 1 + after.flushed;
    after.packet = next;
    after.flushed = 0;
    after.packet_start = {};
    cursor = first_slot(next);
    const bool handed_over = hand_over(state, full, count, std::move(after));
    store_cursor(*header, cursor);
    submit_or_release(full, handed_over);
  }
  count_packet(*header);
  return cursor;
}

void Recorder::submit_or_release(Packet* packet, bool handed_over) noexcept {
  handed_over ? sink_.submit(packet) : pool_.release(packet);
}

// Returns the first packet of a thread; nullptr without memory.
Packet* Recorder::first_packet() noexcept {
  pool_.add_holder();
  Packet* packet = pool_.acquire(sink_);
  if (packet == nullptr) pool_.remove_holder();
  return packet;
}

// Ends a thread's use of its packet, with what is left of the first `count` records handed over
// unless recording has ended. The thread must not run.
void Recorder::take_packet(ThreadState& state, std::uint32_t count) noexcept {
  ThreadPosition after = state.next_position();
  const std::uint32_t flushed = std::exchange(after.flushed, 0);
  after.packet_start = {};
  Packet* packet = std::exchange(after.packet, nullptr);
  if (packet == nullptr) {
    lose(state, after.closed != 0 ? 0 : count, std::move(after));
    return store_cursor(*state.header, 0);
  }
  packet->first = 1 + flushed;
  const std::uint32_t left = after.closed != 0 ? 0 : count - flushed;
  const bool handed_over = hand_over(state, packet, left, std::move(after));
  store_cursor(*state.header, 0);
  count_packet(*state.header);
  submit_or_release(packet, handed_over);
  pool_.remove_holder();
}

void Recorder::park(ThreadHeader* header) noexcept {
  ThreadState& state = *header->state;
  if (&state == &states_[0] || !pool_.has_many_holders()) return;
  if (before_packets_go_) before_packets_go_(*header);
  const std::lock_guard lock(state.mutex);
  // Without a packet it may be using the scratch one, whose records are lost when it asks again.
  if (state.position().packet != nullptr) take_packet(state, appended(*header));
}

// Loses the last `count` records of the thread's packet. The chain follows them even when it cannot
// be kept.
void Recorder::lose_packet(ThreadState& state, std::uint32_t count) noexcept {
  if (count == 0) return;
  ThreadPosition after = state.next_position();
  FrameChain chain;
  std::uint32_t min_depth = 0;
  const std::span<const CallRecord> records(after.packet->slots + 1 + after.flushed, count);
  const bool kept = after.chain.advance(records, chain, min_depth, &pool_.frame_blocks());
  after.chain_known = kept && (after.chain_known != 0 || min_depth == 0) ? 1 : 0;
  after.chain = std::move(chain);
  after.flushed += count;
  ++state.sequence;  // the next packet does not continue the last one that was handed over
  if (after.waits != 0) {
    note_first_key(after, records, min_depth);
  } else {
    count_lost(after, count);
  }
  state.move_to(std::move(after));
}

// Records of a packet that was never one of the pool's: not even the chain can be followed, since
// other threads may have written there.
void Recorder::lose(ThreadState& state, std::uint32_t count, ThreadPosition after) noexcept {
  if (count != 0) {
    after.chain = FrameChain();
    after.chain_known = 0;
    ++state.sequence;
    if (after.waits == 0) count_lost(after, count);
  }
  state.move_to(std::move(after));
}

void Recorder::count_lost(ThreadPosition& after, std::uint32_t count) noexcept {
  after.calls += count;
  after.lost += count;
  calls_seen_.fetch_add(count, std::memory_order_relaxed);
  calls_lost_.fetch_add(count, std::memory_order_relaxed);
}

// Moves the thread to `after`: its present position, with the caller's changes, and the changes by
// the first `count` records of `packet`, applied here. Returns true if `packet` is to be submitted;
// false if it is empty, the frames that its records hang under are unknown, or the recording has not
// begun.
bool Recorder::hand_over(ThreadState& state, Packet* packet, std::uint32_t count,
                         ThreadPosition after) noexcept {
  if (count == 0) {
    state.move_to(std::move(after));
    return false;
  }
  packet->count = count;
  const std::span<const CallRecord> records = packet->records();
  FrameChain chain;
  const bool kept = after.chain.advance(records, chain, packet->min_depth, &pool_.frame_blocks());
  const bool was_known = after.chain_known != 0;
  after.chain_known = kept && (was_known || packet->min_depth == 0) ? 1 : 0;
  packet->start = std::exchange(after.chain, std::move(chain));
  packet->thread = state.index;
  packet->sequence = state.sequence++;
  packet->first_call = after.calls;
  note_first_key(after, records, packet->min_depth);
  if (after.waits != 0) {
    state.move_to(std::move(after));
    return false;
  }
  after.calls += count;
  calls_seen_.fetch_add(count, std::memory_order_relaxed);
  packets_.fetch_add(1, std::memory_order_relaxed);
  if (!was_known) {
    after.lost += count;
    calls_lost_.fetch_add(count, std::memory_order_relaxed);
    state.move_to(std::move(after));
    return false;
  }
  after.handed_over = packet;
  packet->state = Packet::State::kPrepared;
  state.move_to(std::move(after));
  packet->state = Packet::State::kSubmitted;
  in_this_order();
  state.position().handed_over = nullptr;
  in_this_order();
  return true;
}

void Recorder::rename(ThreadHeader* header, std::string_view name) noexcept {
  const std::lock_guard lock(mutex_);
  ThreadState& state = *header->state;
  const std::lock_guard state_lock(state.mutex);
  if (state.live == 0) return;
  sink_.thread_renamed(state.index, rows_.runtime_id(state.index), name);
  rows_.rename(state.index, name);
  kept_rows_.rename(state.row, name);
}

void Recorder::detach(ThreadHeader* header) noexcept {
  ThreadState& state = *header->state;
  if (&state == &states_[0]) return;  // other threads may be using it
  {
    const std::lock_guard lock(state.mutex);
    take_packet(state, appended(*header));
    clear_words(*header);
  }
  const std::lock_guard lock(mutex_);
  const std::lock_guard state_lock(state.mutex);
  rows_.set_calls(state.index, state.position().first_key, state.position().calls);
  rows_.end(state.index);
  end_row(state);
  sink_.thread_ended(state.index);
  free_states_.push_back(&state);
}

// The thread's row of those that are kept; what it counted is there then, not in its state.
void Recorder::end_row(ThreadState& state) noexcept {
  const ThreadPosition& last = state.position();
  KeptThreadRow& row = kept_rows_[state.row];
  row.first_key = last.calls == 0 ? 0 : last.first_key;
  row.calls = last.calls;
  in_this_order();
  state.live = 0;
  pool_.run().lost += last.lost;
  state.move_to(ThreadPosition{});
  kept_rows_.end(state.row);
}

// The packet stays the thread's, which may still be appending; so a copy is to be handed over, of
// the first `count` records without those handed over before. Null when there is none, or no
// memory.
Packet* Recorder::copy_of_appended(const ThreadState& state, std::uint32_t count) noexcept {
  const ThreadPosition& now = state.position();
  const std::uint32_t left = count - now.flushed;
  Packet* copy = left == 0 || now.packet == nullptr ? nullptr : pool_.acquire(sink_);
  if (copy == nullptr) return nullptr;
  std::memcpy(copy->slots + 1, now.packet->slots + 1 + now.flushed, left * sizeof(CallRecord));
  return copy;
}

void Recorder::close_thread(ThreadState& state) noexcept {
  const std::lock_guard lock(state.mutex);
  ThreadPosition after = state.next_position();
  if (std::exchange(after.closed, 1) != 0) return;
  const std::uint32_t count = appended(*state.header);
  Packet* copy = copy_of_appended(state, count);
  const std::uint32_t left = count - after.flushed;
  if (copy == nullptr) return lose(state, left, std::move(after));
  submit_or_release(copy, hand_over(state, copy, left, std::move(after)));
}

void Recorder::flush_thread(ThreadState& state) noexcept {
  const std::lock_guard lock(state.mutex);
  ThreadPosition after = state.next_position();
  if (after.closed != 0) return;
  const std::uint32_t count = appended(*state.header);
  Packet* copy = copy_of_appended(state, count);
  if (copy == nullptr) return;
  const std::uint32_t left = count - after.flushed;
  if (after.flushed == 0) after.packet_start = {after.chain, after.chain_known};
  after.flushed = count;
  submit_or_release(copy, hand_over(state, copy, left, std::move(after)));
}

void Recorder::wait_to_begin() noexcept {
  const std::lock_guard lock(mutex_);
  waits_ = true;
  states_[0].position().waits = 1;
}

void Recorder::begin() noexcept {
  const std::lock_guard lock(mutex_);
  waits_ = false;
  rows_.forget_amounts();
  for (std::size_t i = 0; i < states_.size(); ++i) begin_thread(states_[i]);
}

// The records until now stay in the packet, as if they had been handed over.
void Recorder::begin_thread(ThreadState& state) noexcept {
  const std::lock_guard lock(state.mutex);
  ThreadPosition& now = state.position();
  const std::uint32_t count = appended(*state.header) - now.flushed;
  if (now.closed == 0 && now.packet != nullptr && count != 0) {
    if (now.flushed == 0) now.packet_start = {now.chain, now.chain_known};
    lose_packet(state, count);
  }
  state.position().waits = 0;
}

void Recorder::close() noexcept {
  const std::lock_guard lock(mutex_);
  closed_ = true;
  for (std::size_t i = 0; i < states_.size(); ++i) close_thread(states_[i]);
}

void Recorder::flush() noexcept {
  const std::lock_guard lock(mutex_);
  for (std::size_t i = 1; i < states_.size(); ++i) flush_thread(states_[i]);
}

std::vector<ThreadRow> Recorder::threads() const {
  const std::lock_guard lock(mutex_);
  ThreadRows rows = rows_;
  for (std::size_t i = 1; i < states_.size(); ++i) {
    ThreadState& state = states_[i];
    const std::lock_guard state_lock(state.mutex);
    if (state.live == 0) continue;
    rows.set_calls(state.index, state.position().first_key, state.position().calls);
  }
  return rows.list();
}

}  // namespace copse::shadowstack
