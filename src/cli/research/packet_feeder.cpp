#include "cli/research/packet_feeder.h"

#include <utility>

namespace copse::cli {

void PacketFeeder::feed(const trace::EventBatch& batch) {
  Thread& thread = thread_of(batch.thread);
  for (const trace::Event& event : batch.events) {
    switch (event.kind) {
      case trace::EventKind::kCall:
        call(thread, event.value);
        break;
      case trace::EventKind::kReturn:
      case trace::EventKind::kUnwind:
        thread.depth -= static_cast<std::uint32_t>(event.value);
        break;
      case trace::EventKind::kMark:
        break;
      case trace::EventKind::kThreadStart:
      case trace::EventKind::kThreadEnd:
        hand_over(thread);
        thread.depth = 0;
        thread.chain = shadowstack::FrameChain();
        thread.chain_known = true;
        break;
    }
  }
  hand_over(thread);
}

PacketFeeder::Thread& PacketFeeder::thread_of(ThreadIndex index) {
  const auto [found, is_new] = thread_rows_.try_emplace(raw(index), threads_.size());
  if (is_new) threads_.emplace_back().row.index = index;
  return threads_[found->second];
}

void PacketFeeder::call(Thread& thread, ContextKey key) {
  if (packet_ != nullptr && packet_->count + 1 == pool_.slots()) hand_over(thread);
  if (packet_ == nullptr) packet_ = pool_.acquire(sink_);
  ++calls_;
  ++thread.row.calls;
  if (thread.row.first_key == 0 && thread.depth == 0) thread.row.first_key = key;
  const CallRecord record = std::uint64_t{thread.depth++} << kDepthShift | key;
  if (packet_ == nullptr) {
    ++calls_lost_;
    ++thread.sequence;
    thread.chain_known = false;
    return;
  }
  packet_->slots[++packet_->count] = record;
}

void PacketFeeder::hand_over(Thread& thread) {
  if (packet_ == nullptr) return;
  shadowstack::Packet* const packet = std::exchange(packet_, nullptr);
  packet->thread = thread.row.index;
  packet->sequence = thread.sequence++;
  packet->first_call = thread.row.calls - packet->count;
  shadowstack::FrameChain after;
  const bool kept = thread.chain.advance(packet->records(), after, packet->min_depth);
  packet->start = std::exchange(thread.chain, std::move(after));
  const bool known =
      std::exchange(thread.chain_known, kept && (thread.chain_known || packet->min_depth == 0));
  if (known) {
    ++packets_;
    sink_.submit(packet);
  } else {
    calls_lost_ += packet->count;
    pool_.release(packet);
  }
}

std::vector<PacketFeeder::ThreadRow> PacketFeeder::threads() const {
  std::vector<ThreadRow> rows;
  for (const Thread& thread : threads_) {
    if (thread.row.calls != 0) rows.push_back(thread.row);
  }
  return rows;
}

}  // namespace copse::cli
