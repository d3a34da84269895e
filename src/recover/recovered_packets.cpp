#include "recover/recovered_packets.h"

#include <algorithm>
#include <new>
#include <vector>

#include "recover/recovered_tree.h"

namespace copse::recover {
namespace {

shadowstack::FrameChain after(const shadowstack::FrameChain& chain,
                              std::span<const CallRecord> records, std::uint32_t& min_depth) {
  shadowstack::FrameChain next;
  if (!chain.advance(records, next, min_depth)) throw std::bad_alloc();
  return next;
}

}  // namespace

std::uint64_t records_address(const shadowstack::Packet& packet) noexcept {
  return reinterpret_cast<std::uint64_t>(packet.slots) +
         std::uint64_t{packet.first} * sizeof(CallRecord);
}

RecoveredPackets::RecoveredPackets(const cct::EngineOptions& options)
    : event_every_(std::max<std::uint64_t>(options.event_every, 1)),
      is_uptree_(options.kind == cct::EngineOptions::Kind::kUptree),
      merged_(cct::merged_methods(options.recursion)),
      folder_(tree_, {options.sites, merged_}),
      uptree_({options.sites, options.event_every}, shadowstack::anonymous_memory()) {
  tree_.merge_recursion_of(merged_);
}

std::uint64_t RecoveredPackets::records_of_events(const shadowstack::Packet& packet,
                                                  std::uint64_t events) const noexcept {
  if (events == 0) return 0;
  return event_every_ - packet.first_call % event_every_ + (events - 1) * event_every_;
}

Status RecoveredPackets::add(const SharedMemoryFile& memory, const shadowstack::Packet& packet,
                             std::span<const CallRecord> records, std::uint32_t from) {
  Result<shadowstack::FrameChain> start = recovered_chain(memory, packet.start.top());
  if (!start.ok()) return start.status();
  std::uint32_t min_depth = 0;
  if (from != 0) *start = after(*start, records.first(from), min_depth);
  return fold(records.subspan(from), *start, packet, packet.first_call + from);
}

Status RecoveredPackets::add_tail(const SharedMemoryFile& memory, const shadowstack::Packet& rest,
                                  const shadowstack::FrameBlock* top, ContextKey& first_key) {
  if (rest.count == 0) return {};
  const auto bytes =
      memory.at(records_address(rest), rest.count * std::uint64_t{sizeof(CallRecord)});
  if (bytes.size != rest.count * sizeof(CallRecord)) {
    return damaged_run("a thread's records are not all there");
  }
  const std::span<const CallRecord> records(reinterpret_cast<const CallRecord*>(bytes.data),
                                            rest.count);
  if (first_key == 0) {
    const auto first = std::find_if(records.begin(), records.end(),
                                    [](CallRecord record) { return depth_of(record) == 0; });
    if (first != records.end()) first_key = key_of(*first);
  }
  const Result<shadowstack::FrameChain> start = recovered_chain(memory, top);
  if (!start.ok()) return start.status();
  return fold(records, *start, rest, rest.first_call);
}

Status RecoveredPackets::fold(std::span<const CallRecord> records,
                              const shadowstack::FrameChain& start, const shadowstack::Packet& like,
                              std::uint64_t first_call) {
  for (const CallRecord record : records) {
    if (method_of(record) == kNoMethod) return damaged_run("a call is of no method");
  }
  shadowstack::Packet packet;
  packet.slots = const_cast<CallRecord*>(records.data());
  packet.first = 0;
  packet.count = static_cast<std::uint32_t>(records.size());
  packet.thread = like.thread;
  packet.sequence = sequence_;
  packet.first_call = first_call;
  packet.start = start;
  after(start, records, packet.min_depth);
  sequence_ += 2;  // of no two packets is one the other's next
  shadowstack::Packet* const one[] = {&packet};
  is_uptree_ ? uptree_.fold(one) : folder_.fold(one);
  return {};
}

void RecoveredPackets::finish(cct::Cct& tree) noexcept {
  is_uptree_ ? uptree_.merge_into(tree) : tree.merge(tree_);
}

Result<shadowstack::FrameChain> recovered_chain(const SharedMemoryFile& memory,
                                                const shadowstack::FrameBlock* top) {
  std::vector<const shadowstack::FrameBlock*> blocks;
  for (const shadowstack::FrameBlock* theirs = top; theirs != nullptr;) {
    const auto* block =
        memory.object<shadowstack::FrameBlock>(reinterpret_cast<std::uint64_t>(theirs));
    const bool is_below =
        blocks.empty() || (block != nullptr && block->index < blocks.back()->index);
    if (block == nullptr || !is_below ||
        block->index > kMaxDepth / shadowstack::FrameBlock::kFrames) {
      return damaged_run("a thread's frames are not all there");
    }
    blocks.push_back(block);
    theirs = block->below;
  }
  std::vector<CallRecord> frames;
  for (; !blocks.empty(); blocks.pop_back()) {
    const shadowstack::FrameBlock& block = *blocks.back();
    for (std::uint32_t i = 0; i < shadowstack::FrameBlock::kFrames; ++i) {
      const std::uint64_t depth = std::uint64_t{block.index} * shadowstack::FrameBlock::kFrames + i;
      if (block.keys[i] != 0) frames.push_back(depth << kDepthShift | (block.keys[i] & kKeyMask));
    }
  }
  if (frames.empty()) return shadowstack::FrameChain();
  std::uint32_t min_depth = 0;
  return after(shadowstack::FrameChain(), frames, min_depth);
}

}  // namespace copse::recover
