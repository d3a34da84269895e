// Segment: one integer per context over append-only tables. Ours; docs/encodings.md has the proof.
//
// A method n has issued the codes [0, N(n)); each stands for at most one context of n. An edge
// e = (p, n) maps p's codes to n's by segments (source, base, length): code c of p with source <= c
// < source + length becomes base + c - source. When p has codes that e has not met yet, one new
// segment covers all of them, and `reserve` codes that p may issue later; N(n) grows by its length.
// If nothing else of n was coded since e's last segment, that one is made longer instead. Nothing
// issued is ever changed, so there are no versions, recursion converges, and decode needs no
// history.
//
// On cycles N would double from segment to segment. A segment is therefore at most `longest` codes
// long: where more are missing it begins at the code at hand and leaves a gap. Codes in gaps, and
// those for which N(n) would pass `max_codes`, are given out one by one, for each (e, c): this is
// how a calling context tree numbers its nodes, and max_codes = 1 is exactly that.
//
//   fast path   the edge's table slot holds its last segment: one compare, one add
//   slow path   a small cache of (edge, code); binary search among the edge's segments; append
//
// Token: method 4, code 8. State: 8 bytes per frame, 32 per segment, 40 per single code,
// 100 to 150 per edge.
// Return discipline: restore.
#pragma once

#include "base/flat_map.h"
#include "encoders/encoder.h"
#include "encoders/thread_table.h"

namespace copse::encoders {

struct SegmentOptions {
  std::uint64_t max_codes = std::uint64_t{1} << 62;  // per method, before single codes
  std::uint64_t longest = std::uint64_t{1} << 32;    // codes of a new segment
  std::uint64_t reserve = 16;                        // of those, that the caller has not issued
  bool extends = true;                               // the last segment, where possible

  // As the idea is told: a segment per growth of the caller, of any length.
  static SegmentOptions plain(std::uint64_t max_codes = std::uint64_t{1} << 62) {
    return {max_codes, ~std::uint64_t{0}, 0, false};
  }
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
  void save_state(StateWriter& out) const;
  void load_state(StateReader& in);

  std::uint64_t record_count() const noexcept { return record_count_; }  // segments and singles
  std::uint64_t single_count() const noexcept { return singles_.size(); }
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
  // What slow calls gave lately, direct-mapped.
  struct Recent {
    std::uint64_t code = 0;
    std::uint64_t issued = 0;
    std::uint64_t edge = 0;  // one-based, 0 while free
  };
  struct EdgeSegment {
    std::uint64_t source;
    std::uint64_t base;
    std::uint64_t length;
  };
  struct Edge {
    EdgeKey key;
    std::uint64_t covered = 0;          // caller codes from here on have no segment
    std::vector<EdgeSegment> segments;  // ascending by source
  };
  struct Single {
    std::uint64_t source;
    std::uint64_t base;
    std::uint32_t edge;
  };
  // One issue of codes of a method: a segment of an edge, or a single code.
  struct Issue {
    std::uint32_t edge;
    std::uint32_t position;  // in the edge's segments, or kSingle | index into singles_
  };
  struct Node {
    std::uint64_t codes = 0;
    std::vector<Issue> issues;  // ascending by base, without gaps
  };
  struct Range {
    std::uint64_t source;
    std::uint64_t base;
  };
  static constexpr std::uint32_t kSingle = std::uint32_t{1} << 31;
  static constexpr std::uint64_t kMostCodes = std::uint64_t{1} << 63;

  std::uint64_t encode_slow(EdgeKey key, std::uint64_t code, Window* window);
  std::uint64_t search(EdgeKey key, std::uint64_t code, Window* window);
  Recent& recent(std::uint32_t edge, std::uint64_t code) noexcept;
  bool append(std::uint32_t edge, std::uint64_t code);
  std::uint64_t encode_single(std::uint32_t edge, std::uint64_t code, Window& window);
  std::size_t single_slot(std::uint32_t edge, std::uint64_t code) const noexcept;
  std::uint32_t add_single(std::uint32_t edge, std::uint64_t code);
  void grow_single_table();
  static const EdgeSegment* segment_of(const Edge& edge, std::uint64_t code) noexcept;
  static void show(Window& window, const EdgeSegment& segment, std::uint64_t code) noexcept;
  Node& node(MethodId method);
  Range range_of(const Issue& issue) const noexcept;

  FlatMap<EdgeKey, Window> windows_;
  std::vector<Recent> recent_;  // a power of two
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
