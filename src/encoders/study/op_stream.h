// Turns an event source into chunks of flat operations for encoders, checked, with threads renumbered.
//
// A source may hold anything. The output is a legal history, so no encoder is ever asked to return from ROOT: every
// call names the running method as its caller, no more frames leave than are live, and nothing happens on a thread
// before its start. A thread starts with its first call or mark, so threads that make none are not there. The first
// event that breaks this ends the stream with an error. Thread indices of a source may be
// sparse and many. Here a live thread has a slot, and slots are reused, so that encoders' thread tables stay as small
// as the number of live threads.
//
// Two passes over one source give the same operations at the same positions.
#pragma once

#include <cstdint>
#include <span>
#include <type_traits>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "base/call_path.h"
#include "base/status.h"
#include "trace/event_source.h"

namespace copse::study {

enum class OpKind : std::uint8_t { kStart, kCall, kReturn, kUnwind, kMark, kEnd };

struct Op {
  OpKind kind;
  std::uint32_t slot = 0;   // the thread
  std::uint64_t value = 0;  // kCall: EdgeKey; kReturn, kUnwind: frames; kMark: the event's kind

  EdgeKey edge() const noexcept { return EdgeKey{value}; }
  std::uint32_t frames() const noexcept { return static_cast<std::uint32_t>(value); }
  ThreadIndex thread() const noexcept { return ThreadIndex{slot}; }
  friend bool operator==(const Op&, const Op&) = default;
};
static_assert(sizeof(Op) == 16);
static_assert(std::is_trivially_copyable_v<Op>);

inline Op call_op(std::uint32_t slot, EdgeKey edge) { return {OpKind::kCall, slot, raw(edge)}; }

class OpStream {
 public:
  static constexpr std::uint64_t kNoLimit = ~std::uint64_t{0};

  // `limit`: events to take from the source. REQUIRES: the source outlives the stream.
  explicit OpStream(trace::EventSource& source, std::uint64_t limit = kNoLimit)
      : source_(source), limit_(limit) {}

  // Goes back to the first operation. REQUIRES: called before the first pass, too.
  Status rewind();

  // Returns the next operations, valid until the next call; empty at the end.
  Result<std::span<const Op>> next();

  const trace::EventSource& source() const noexcept { return source_; }

 private:
  static constexpr std::size_t kChunkOps = 1 << 16;
  static constexpr std::uint32_t kNoSlot = ~std::uint32_t{0};

  Status take(ThreadIndex thread, std::span<const trace::Event> events);
  Status take_event(ThreadIndex thread, const trace::Event& event);
  std::uint32_t slot_of(ThreadIndex thread);
  Status bad(ThreadIndex thread, const std::string& why) const;

  trace::EventSource& source_;
  const std::uint64_t limit_;

  std::vector<Op> chunk_;
  trace::EventBatch batch_;                                 // rest of the last batch after next()
  std::unordered_map<std::uint32_t, std::uint32_t> slots_;  // by the source's index
  std::uint32_t last_thread_ =
      0;  // the one slot_of() was asked for last, when last_slot_ is a slot
  std::uint32_t last_slot_ = kNoSlot;
  std::unordered_set<std::uint32_t> started_;  // by the source's index: threads without a slot yet
  std::vector<std::uint32_t> free_slots_;
  std::vector<std::vector<MethodId>> stacks_;  // by slot, without ROOT
  std::uint64_t events_ = 0;
};

}  // namespace copse::study
