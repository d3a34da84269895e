// The payload of a calls block: records of one thread, about two bytes a call.
//
//   thread       number
//   flags        byte: 1: a start chain follows
//   start chain  number of frames, then for each, outermost first: number of unknown frames between
//                it and the one before, site, method (numbers)
//   first depth  number
//   keys         number of them, at most 4096, then for each: method as a signed difference from
//                the method before, site
//   depths       number of them, then each
//   codes        number of them, then two bytes each, little-endian: 4 bits step, 12 bits index of
//                the call's key. A step of 15 takes its depth from the next of `depths`; any other
//                s is a depth of 1 - s above the call before. The first call is at the first depth:
//                its step counts from the depth one below that.
//
// A record at depth d ends the frames at d and above and is then the frame at d. Without a start
// chain, the thread's last block left the frames live before the first record. With a start chain,
// records in between were lost, and the chain gives the live frames.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/call_record.h"
#include "base/ids.h"
#include "base/wire/payload.h"
#include "shadowstack/frame_chain.h"
#include "trace/event.h"
#include "trace/thread_frames.h"

namespace copse::trace {

inline constexpr std::size_t kMostKeys = 4096;
// Most records in a block; no packet has more.
inline constexpr std::size_t kMostCodes = 65536;

class CallsEncoder {
 public:
  CallsEncoder();

  // Replaces `payload` by a block of as many of `records` as fit, at least one, and returns their
  // number. `start`: the chain, if the reader cannot know it; nullptr otherwise. Cost: one look-up
  // per record, 2 to 4 ns.
  std::size_t encode(ThreadIndex thread, const shadowstack::FrameChain* start,
                     std::span<const CallRecord> records, wire::PayloadWriter& payload);

 private:
  struct Slot {
    ContextKey key = 0;
    std::uint32_t round = 0;  // number of the encode() that filled it
    std::uint32_t index = 0;
  };
  static constexpr std::size_t kSlots = 4 * kMostKeys;

  Slot& slot_of(ContextKey key) noexcept;

  std::uint32_t round_ = 0;
  std::vector<Slot> slots_;
  std::vector<ContextKey> keys_;
  std::vector<std::uint32_t> depths_;
  std::vector<std::uint8_t> codes_;
};

// Events made from blocks. Keeps its memory from block to block.
class EventBuffer {
 public:
  // Makes room for `count` more events; end() may move.
  void reserve(std::size_t count) {
    if (size_ + count > events_.size()) events_.resize(size_ + count);
  }
  Event* end() { return events_.data() + size_; }
  void set_end(const Event* end) { size_ = static_cast<std::size_t>(end - events_.data()); }
  void add(const Event& event) {
    reserve(1);
    events_[size_++] = event;
  }
  void clear() { size_ = 0; }
  bool empty() const { return size_ == 0; }
  std::span<const Event> view() const { return {events_.data(), size_}; }

 private:
  std::vector<Event> events_;
  std::size_t size_ = 0;
};

class CallsDecoder {
 public:
  CallsDecoder() : keys_(kMostKeys, 0) {}

  // Adds the block's calls and the returns that they imply. `in` stands behind the thread's number.
  // Returns the error, "" if none; calls before its place are added. `found_again`: incremented by
  // the calls of the start chain that no block had. Cost: 2 to 4 ns per call.
  std::string decode(wire::PayloadReader& in, ThreadFrames& frames, EventBuffer& events,
                     std::uint64_t& found_again);

 private:
  struct Codes {
    std::span<const std::uint8_t> bytes;
    std::size_t count = 0;
    std::int64_t depth = 0;  // depth of the previous call
    std::size_t next_depth = 0;
  };

  bool read_chain(wire::PayloadReader& in);
  void resume(ThreadFrames& frames, EventBuffer& events, std::uint64_t& found_again) const;
  std::string add_calls(Codes codes, ThreadFrames& frames, EventBuffer& events) const;

  std::vector<ContextKey> keys_;  // always kMostKeys; 0: not in the block
  std::size_t keys_used_ = 0;
  std::vector<std::uint32_t> depths_;
  std::vector<CallRecord> chain_;  // known frames, outermost first
};

}  // namespace copse::trace
