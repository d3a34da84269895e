// RCCE (Wang, Li, Leung 2016): the id is a mixed-radix number; calling a method with s in-edges by
// the k-th of them makes it id * s + k, returning divides. Recursion needs no push; when the
// product passes the word (`limit`), the id is pushed and restarts at 1.
//
// Literal form: s counts the graph's own edges, every call is probed, a push saves the id alone.
// It mis-decodes in three ways that the repaired form mends: (a) a method with s = 1 is not probed,
// since id * 1 + 0 can be 1 and would look like a restart; (b) a push saves the call site too;
// (c) entries have an edge from ROOT, so that recursion into an entry counts.
// The graph must not hold a cycle of unprobed methods, which only unknown edges could enter: a
// method ROOT does not reach gets one more code.
// RCCE- is the form without the overflow check; its id wraps, and contexts beyond are lost.
// An edge the graph does not know pushes (id, site, callee) and restarts at 1.
//
// Token: method 4, id 8, then per piece 13 or 16 bytes (literal: 8), oldest first.
// Return discipline: inverse.
#pragma once

#include "encoders/encoder.h"
#include "encoders/piece_stack.h"
#include "encoders/thread_table.h"
#include "graph/call_graph.h"

namespace copse::encoders {

struct RcceOptions {
  std::uint64_t limit = (std::uint64_t{1} << 63) - 1;  // largest id
  bool checks_overflow = true;                         // false: RCCE-
  bool skips_single = true;                            // repair (a)
  bool saves_site = true;                              // repair (b)
  bool roots_entries = true;                           // repair (c)

  static RcceOptions literal() {
    RcceOptions options;
    options.skips_single = options.saves_site = options.roots_entries = false;
    return options;
  }
};

class RcceEncoder {
 public:
  enum class Exit : std::uint8_t { kNone, kDivide, kPop };
  struct Frame {
    std::uint32_t divisor;
    MethodId method;
    Exit exit;
  };
  struct Thread {
    std::uint64_t id = 1;
    std::vector<Piece> pieces;
    std::vector<Frame> frames;  // replay only
    std::uint64_t underflows = 0;
  };

  explicit RcceEncoder(const CallGraph& graph, RcceOptions options = {});

  Thread& thread(ThreadIndex index) { return threads_.get(index); }
  void start(Thread& thread);
  void call(Thread& thread, EdgeKey edge);
  void ret(Thread& thread);
  void unwind(Thread& thread, std::uint32_t count);
  void end(Thread& thread) { thread = Thread(); }
  void token(const Thread& thread, Token& out) const;
  Result<CallPath> decode(const Token& token) const;
  MemoryUse memory() const;

 private:
  struct Step {
    std::uint32_t radix;   // s of the callee
    std::uint32_t serial;  // k of the edge
  };

  void push(Thread& thread, EdgeKey edge, bool known);
  Result<CallPath> decode_from(MethodId method, std::uint64_t id, std::vector<Piece> pieces) const;
  bool at_piece_start(MethodId method, std::uint64_t id, const std::vector<Piece>& pieces) const;
  std::uint32_t radix(MethodId method) const noexcept;

  RcceOptions options_;
  FlatMap<EdgeKey, Step> steps_;
  std::vector<EdgeKey> in_edges_;  // grouped by callee, in serial order
  std::vector<std::uint32_t> in_starts_;
  std::vector<std::uint8_t> reserves_zero_;  // by method: serial 0 belongs to no edge
  std::vector<std::uint8_t> is_entry_;       // by method: ROOT may call it
  ThreadTable<Thread> threads_;
};

inline void RcceEncoder::call(Thread& thread, EdgeKey edge) {
  const Step* step = steps_.find(edge);
  if (!step) [[unlikely]] {
    const bool entry = !options_.roots_entries && caller_of(edge) == kRootMethod;
    if (!entry) push(thread, edge, false);
    thread.frames.push_back({1, callee_of(edge), entry ? Exit::kNone : Exit::kPop});
    return;
  }
  if (step->radix == 1 && options_.skips_single) {
    thread.frames.push_back({1, callee_of(edge), Exit::kNone});
    return;
  }
  std::uint64_t next = 0;
  const bool wraps = __builtin_mul_overflow(thread.id, std::uint64_t{step->radix}, &next) ||
                     __builtin_add_overflow(next, std::uint64_t{step->serial}, &next);
  if (options_.checks_overflow && (wraps || next > options_.limit)) [[unlikely]] {
    push(thread, edge, true);
  } else {
    thread.id = next;
  }
  thread.frames.push_back({step->radix, callee_of(edge), Exit::kDivide});
}

inline void RcceEncoder::ret(Thread& thread) {
  const Frame frame = thread.frames.back();
  thread.frames.pop_back();
  if (frame.exit == Exit::kNone) return;
  if (frame.exit == Exit::kDivide && thread.id != 1) [[likely]] {
    thread.id /= frame.divisor;
    return;
  }
  if (thread.pieces.empty()) {
    ++thread.underflows;
    return;
  }
  thread.id = thread.pieces.back().code();
  thread.pieces.pop_back();
}

}  // namespace copse::encoders
