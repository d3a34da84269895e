#include "trace/calls_block.h"

#include <algorithm>

namespace copse::trace {
namespace {

constexpr std::uint8_t kHasChain = 1;
constexpr int kStepShift = 12;
constexpr std::uint32_t kIndexMask = (1u << kStepShift) - 1;
constexpr std::uint32_t kDepthGiven = 15;
static_assert(kMostKeys == kIndexMask + 1);

// The known frames of a chain below `depth`, outermost first.
std::vector<CallRecord> frames_of(const shadowstack::FrameChain& chain, std::uint32_t depth) {
  std::vector<const shadowstack::FrameBlock*> blocks;
  for (const shadowstack::FrameBlock* block = chain.top(); block != nullptr; block = block->below) {
    blocks.push_back(block);
  }
  std::vector<CallRecord> frames;
  for (auto block = blocks.rbegin(); block != blocks.rend(); ++block) {
    for (std::uint32_t i = 0; i < shadowstack::FrameBlock::kFrames; ++i) {
      const std::uint64_t at =
          std::uint64_t{(*block)->index} * shadowstack::FrameBlock::kFrames + i;
      if (at >= depth) break;
      if ((*block)->keys[i] != 0) frames.push_back(at << kDepthShift | (*block)->keys[i]);
    }
  }
  return frames;
}

void write_chain(const shadowstack::FrameChain& chain, std::uint32_t first_depth,
                 wire::PayloadWriter& payload) {
  const std::vector<CallRecord> frames = frames_of(chain, first_depth);
  payload.number(frames.size());
  std::uint32_t next_depth = 0;
  for (const CallRecord frame : frames) {
    payload.number(depth_of(frame) - next_depth);
    payload.number(raw(site_of(frame)));
    payload.number(raw(method_of(frame)));
    next_depth = depth_of(frame) + 1;
  }
}

// The frame at `depth` is entered: what it ends, and the call, as events.
void enter(ThreadFrames& frames, std::uint32_t depth, ContextKey key, EventBuffer& events) {
  const std::uint32_t before = frames.live;
  while (frames.live != 0 && depth_of(frames.frames[frames.live]) >= depth) --frames.live;
  if (frames.live != before) {
    events.add({EventKind::kReturn, kNoMethod, before - frames.live});
  }
  // A site is an ordinal in its caller: without the caller it says nothing.
  const bool caller_known = frames.next_depth() == depth;
  events.add({EventKind::kCall, frames.running(), caller_known ? key : key & kMethodMask});
  frames.push(std::uint64_t{depth} << kDepthShift | key);
}

}  // namespace

CallsEncoder::CallsEncoder() : slots_(kSlots) { keys_.reserve(kMostKeys); }

CallsEncoder::Slot& CallsEncoder::slot_of(ContextKey key) noexcept {
  std::size_t at = (key * 0x9e37'79b9'7f4a'7c15u) >> 50;
  static_assert(kSlots == std::size_t{1} << (64 - 50));
  while (slots_[at].round == round_ && slots_[at].key != key) at = (at + 1) % kSlots;
  return slots_[at];
}

std::size_t CallsEncoder::encode(ThreadIndex thread, const shadowstack::FrameChain* start,
                                 std::span<const CallRecord> records,
                                 wire::PayloadWriter& payload) {
  if (++round_ == 0) {
    std::fill(slots_.begin(), slots_.end(), Slot());
    round_ = 1;
  }
  keys_.clear();
  depths_.clear();
  codes_.resize(2 * std::min(records.size(), kMostCodes));
  const std::uint32_t first_depth = depth_of(records[0]);
  std::uint32_t next = first_depth;  // one below the record before
  std::size_t count = 0;
  for (; count < codes_.size() / 2; ++count) {
    const CallRecord record = records[count];
    Slot& slot = slot_of(key_of(record));
    if (slot.round != round_) {
      if (keys_.size() == kMostKeys) break;
      slot = {key_of(record), round_, static_cast<std::uint32_t>(keys_.size())};
      keys_.push_back(key_of(record));
    }
    std::uint32_t step = next - depth_of(record);  // wraps round to a large one when deeper
    if (step >= kDepthGiven) {
      step = kDepthGiven;
      depths_.push_back(depth_of(record));
    }
    const std::uint32_t code = step << kStepShift | slot.index;
    codes_[2 * count] = static_cast<std::uint8_t>(code);
    codes_[2 * count + 1] = static_cast<std::uint8_t>(code >> 8);
    next = depth_of(record) + 1;
  }

  payload.clear();
  payload.number(raw(thread));
  payload.byte(start != nullptr ? kHasChain : 0);
  if (start != nullptr) write_chain(*start, first_depth, payload);
  payload.number(first_depth);
  payload.number(keys_.size());
  std::int64_t method = 0;
  for (const ContextKey key : keys_) {
    payload.signed_number(std::int64_t{raw(method_of(key))} - method);
    payload.number(raw(site_of(key)));
    method = raw(method_of(key));
  }
  payload.number(depths_.size());
  for (const std::uint32_t depth : depths_) payload.number(depth);
  payload.number(count);
  payload.append(codes_.data(), 2 * count);
  return count;
}

bool CallsDecoder::read_chain(wire::PayloadReader& in) {
  chain_.clear();
  std::uint64_t depth = 0;
  for (std::uint64_t left = in.number(); left != 0 && in.ok(); --left) {
    depth += in.number_up_to(kMaxDepth);
    const SiteOrdinal site{static_cast<std::uint16_t>(in.number_up_to(0xffff))};
    const MethodId method{static_cast<std::uint32_t>(in.number_up_to(kMaxMethodId))};
    if (method == kNoMethod || depth > kMaxDepth) in.fail();
    if (in.ok()) chain_.push_back(depth << kDepthShift | context_key(site, method));
    ++depth;
  }
  return in.ok();
}

// Makes the live frames those of the chain; equal ones at its bottom are taken for the same.
void CallsDecoder::resume(ThreadFrames& frames, EventBuffer& events,
                          std::uint64_t& found_again) const {
  std::uint32_t same = 0;
  while (same < frames.live && same < chain_.size() && frames.frames[same + 1] == chain_[same]) {
    ++same;
  }
  if (same < frames.live) {
    events.add({EventKind::kReturn, kNoMethod, frames.live - same});
    frames.live = same;
  }
  for (std::size_t i = same; i < chain_.size(); ++i) {
    enter(frames, depth_of(chain_[i]), key_of(chain_[i]), events);
    ++found_again;
  }
}

std::string CallsDecoder::decode(wire::PayloadReader& in, ThreadFrames& frames, EventBuffer& events,
                                 std::uint64_t& found_again) {
  const std::uint8_t flags = in.byte();
  if (flags > kHasChain) return "a calls block has unknown flags";
  if (flags == kHasChain && !read_chain(in)) return "a calls block's start chain is damaged";
  Codes codes;
  codes.depth = static_cast<std::int64_t>(in.number_up_to(kMaxDepth)) - 1;

  const std::size_t keys = in.number_up_to(kMostKeys);
  std::int64_t method = 0;
  for (std::size_t i = 0; i < keys && in.ok(); ++i) {
    method += in.signed_number() % (2 * std::int64_t{kMaxMethodId});
    const SiteOrdinal site{static_cast<std::uint16_t>(in.number_up_to(0xffff))};
    if (method < 1 || method > std::int64_t{kMaxMethodId}) {
      in.fail();
    } else {
      keys_[i] = context_key(site, MethodId{static_cast<std::uint32_t>(method)});
    }
  }
  if (!in.ok()) return "a calls block's keys are damaged";
  if (keys < keys_used_) {
    std::fill(keys_.begin() + std::ptrdiff_t(keys), keys_.begin() + std::ptrdiff_t(keys_used_), 0);
  }
  keys_used_ = keys;

  depths_.clear();
  for (std::uint64_t left = in.number_up_to(kMostCodes); left != 0 && in.ok(); --left) {
    depths_.push_back(static_cast<std::uint32_t>(in.number_up_to(kMaxDepth)));
  }
  codes.count = in.number_up_to(kMostCodes);
  codes.bytes = in.bytes(2 * codes.count);
  if (!in.ok() || !in.at_end()) return "a calls block's lengths do not match";
  if (flags == kHasChain) resume(frames, events, found_again);
  return add_calls(codes, frames, events);
}

std::string CallsDecoder::add_calls(Codes codes, ThreadFrames& frames, EventBuffer& events) const {
  std::int64_t depth = codes.depth;
  const std::uint8_t* at = codes.bytes.data();
  const std::uint8_t* const end = at + codes.bytes.size();
  const ContextKey* const keys = keys_.data();
  while (at != end) {
    const auto left = static_cast<std::size_t>(end - at) / 2;
    frames.reserve(left);
    events.reserve(2 * left);
    CallRecord* const stack = frames.frames.data();
    Event* out = events.end();
    std::uint32_t live = frames.live;
    ContextKey key = 0;
    bool valid = true;
    // While no unknown frame is live, the frame at depth d is number d, and every record makes at
    // most two events; both are written, a return without frames is written over.
    bool gapless = frames.gapless();
    for (; at != end; at += 2) {
      const std::uint32_t code = static_cast<std::uint32_t>(at[0]) | std::uint32_t{at[1]} << 8;
      const std::uint32_t step = code >> kStepShift;
      key = keys[code & kIndexMask];
      if (step != kDepthGiven) {
        depth += 1 - std::int64_t{step};
      } else {
        valid = codes.next_depth < depths_.size();
        depth = valid ? std::int64_t{depths_[codes.next_depth++]} : 0;
      }
      valid = valid && key != 0 && depth >= 0 && depth <= std::int64_t{kMaxDepth};
      if (!valid || !gapless || depth > std::int64_t{live}) break;
      const auto below = static_cast<std::uint32_t>(depth);
      *out = {EventKind::kReturn, kNoMethod, live - below};
      out += below < live ? 1 : 0;
      *out++ = {EventKind::kCall, method_of(stack[below]), key};
      live = below + 1;
      stack[live] = static_cast<std::uint64_t>(depth) << kDepthShift | key;
    }
    frames.live = live;
    events.set_end(out);
    if (!valid) return "a calls block holds a call that cannot be";
    if (at != end) {
      enter(frames, static_cast<std::uint32_t>(depth), key, events);
      at += 2;
    }
  }
  if (codes.next_depth != depths_.size()) return "a calls block's depths do not match its calls";
  return {};
}

}  // namespace copse::trace
