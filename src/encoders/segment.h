// Segment: one integer per context over append-only tables. Ours; docs/encodings.md has the proof.
//
// A method n has issued the codes [0, N(n)); each stands for one context of n. An edge e = (p, n)
// maps p's codes to n's by segments (source, base, length): code c of p with source <= c < source +
// length becomes base + c - source. When p has codes that e has not met yet, one new segment
// covers all of them and N(n) grows by its length. Nothing issued is ever changed, so there are no
// versions, recursion converges, and decode needs no history.
//
// When N(n) would pass `max_codes`, single codes are given out instead, one per (e, c): this is
// how a calling context tree numbers its nodes, and max_codes = 1 is exactly that.
//
//   fast path   the edge's table slot holds its last segment: one compare, one add
//   slow path   binary search among the edge's segments, or append
//
// Token: method 4, code 8. State: 8 bytes per frame, 32 per segment, 40 per single code,
// 100 to 150 per edge.
// Return discipline: restore.
#pragma once

#include "encoders/encoder.h"
#include "encoders/flat_map.h"
#include "encoders/thread_table.h"

namespace copse::encoders {

struct SegmentOptions {
  std::uint64_t max_codes = std::uint64_t{1} << 62;  // per method, before single codes
};

class SegmentEncoder {
 public:
  struct Frame {
    std::uint64_t code = 0;
    MethodId method{};
  };
  struct Thread {
    std::vector<Frame> frames = {Frame{}};
  };

  explicit SegmentEncoder(SegmentOptions options = {});

  Thread& thread(ThreadIndex index) { return threads_.get(index); }
  void start(Thread& thread) { thread.frames.assign(1, Frame{}); }
  void call(Thread& thread, EdgeKey edge);
  void ret(Thread& thread) { thread.frames.pop_back(); }
  void unwind(Thread& thread, std::uint32_t count) {
    thread.frames.resize(thread.frames.size() - count);
  }
  void end(Thread& thread) { thread = Thread(); }
  void token(const Thread& thread, Token& out) const;
  Result<CallPath> decode(const Token& token) const;
  MemoryUse memory() const;

  std::uint64_t record_count() const noexcept { return record_count_; }  // segments and singles
  std::uint64_t slow_calls() const noexcept { return slow_calls_; }
  std::uint64_t largest_code() const noexcept;

 private:
  // The segment an edge used last, in its hash slot. Codes [first, first + length) map by adding
  // `shift`, modulo 2^64.
  struct Window {
    std::uint64_t first = 0;
    std::uint64_t shift = 0;
    std::uint32_t length = 0;  // of a longer segment, the window shows a part
    std::uint32_t edge = 0;    // one-based index into edges_, 0 while unknown
  };
  struct EdgeSegment {
    std::uint64_t source;
    std::uint64_t base;
  };
  struct Edge {
    EdgeKey key;
    std::uint64_t covered = 0;          // caller codes below it have a segment
    std::vector<EdgeSegment> segments;  // ascending and without gaps
  };
  struct NodeSegment {
    std::uint64_t base;
    std::uint32_t edge;
    std::uint32_t position;  // in the edge's segments, or kSingle | index into singles_
  };
  struct Node {
    std::uint64_t codes = 0;
    std::vector<NodeSegment> segments;  // ascending by base, without gaps
  };
  struct Single {
    std::uint64_t source;
    std::uint32_t edge;
    std::uint32_t position;  // in the callee's segments
  };
  static constexpr std::uint32_t kSingle = std::uint32_t{1} << 31;

  std::uint64_t encode_slow(EdgeKey key, std::uint64_t code, Window* window);
  std::uint64_t encode_single(std::uint32_t edge, std::uint64_t code, Window& window);
  std::size_t single_slot(std::uint32_t edge, std::uint64_t code) const noexcept;
  std::uint32_t add_single(std::uint32_t edge, std::uint64_t code);
  void grow_single_table();
  void show(Window& window, const Edge& edge, std::size_t position, std::uint64_t code);
  Node& node(MethodId method);

  FlatMap<EdgeKey, Window> windows_;
  std::vector<Edge> edges_;
  std::vector<Node> nodes_;  // by method
  std::vector<Single> singles_;
  std::vector<std::uint32_t> single_table_;  // one-based index into singles_; at most 2/3 full
  SegmentOptions options_;
  std::uint64_t record_count_ = 0;
  std::uint64_t slow_calls_ = 0;
  ThreadTable<Thread> threads_;
};

inline void SegmentEncoder::call(Thread& thread, EdgeKey key) {
  const std::uint64_t code = thread.frames.back().code;
  Window* window = windows_.find(key);
  if (window && code - window->first < window->length) [[likely]] {
    thread.frames.push_back({code + window->shift, callee_of(key)});
  } else {
    thread.frames.push_back({encode_slow(key, code, window), callee_of(key)});
  }
}

}  // namespace copse::encoders
