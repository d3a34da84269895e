// Precise calling context encoding (Sumner et al., ICSE 2010): one integer, to which each call edge
// adds its number and from which the return subtracts it.
//
// Codes come from path_numbering.h over a graph known before the run. A cut edge (recursion,
// pruned for overflow) pushes (id, site) and restarts the id in the callee's reserved range. An
// edge or method the graph does not know pushes (id, site, callee) and restarts at 0; the graph of
// one piece being acyclic, reaching that callee again while decoding means its start.
//
// Token: method 4, id 8, then per piece 13 or 16 bytes, oldest first.
// Return discipline: inverse, so an unwind runs each frame's exit.
#pragma once

#include "encoders/encoder.h"
#include "encoders/path_numbering.h"
#include "encoders/piece_stack.h"
#include "encoders/thread_table.h"

namespace copse::encoders {

struct PcceOptions {
  std::uint64_t max_paths = std::uint64_t{1} << 62;
  // False: a cut edge just resets the id to 0, which is ambiguous with the method's first context.
  bool reserves_piece_starts = true;
};

class PcceEncoder {
 public:
  struct Frame {
    std::uint64_t undo;  // what the exit subtracts, or kPop
    MethodId method;
  };
  struct Thread {
    std::uint64_t id = 0;
    std::vector<Piece> pieces;
    std::vector<Frame> frames;  // replay only: the undo value sits in compiled code
  };

  explicit PcceEncoder(const CallGraph& graph, PcceOptions options = {});

  Thread& thread(ThreadIndex index) { return threads_.get(index); }
  void start(Thread& thread);
  void call(Thread& thread, EdgeKey edge);
  void ret(Thread& thread);
  void unwind(Thread& thread, std::uint32_t count);
  void end(Thread& thread) { thread = Thread(); }
  void token(const Thread& thread, Token& out) const;
  Result<CallPath> decode(const Token& token) const;
  MemoryUse memory() const;

  // Contexts numbered at `method`.
  std::uint64_t paths(MethodId method) const noexcept { return paths_[raw(method)]; }
  std::uint64_t addition(EdgeKey edge) const noexcept { return *steps_.find(edge) & ~kCut; }
  std::uint64_t pruned_edges() const noexcept { return pruned_; }

 private:
  static constexpr std::uint64_t kCut = std::uint64_t{1} << 63;
  static constexpr std::uint64_t kPop = ~std::uint64_t{0};

  struct Range {
    std::uint64_t first;  // lowest code of the range
    EdgeKey edge;         // kNoEdge: a piece starts here
  };

  std::span<const Range> ranges(MethodId method) const noexcept;
  const Range* range_of(MethodId method, std::uint64_t code) const noexcept;
  void build_ranges(const CallGraph& graph, const PathNumbering& numbering);

  PcceOptions options_;
  FlatMap<EdgeKey, std::uint64_t> steps_;  // addition value, kCut set for a cut edge
  std::vector<Range> ranges_;              // grouped by callee, ascending
  std::vector<std::uint32_t> range_starts_;
  std::vector<std::uint64_t> paths_;
  std::uint64_t pruned_ = 0;
  ThreadTable<Thread> threads_;
};

inline void PcceEncoder::call(Thread& thread, EdgeKey edge) {
  const std::uint64_t* step = steps_.find(edge);
  if (step && !(*step & kCut)) [[likely]] {
    thread.id += *step;
    thread.frames.push_back({*step, callee_of(edge)});
    return;
  }
  thread.pieces.push_back({thread.id | (step ? 0 : kNamesCallee), edge});
  thread.id = step ? *step & ~kCut : 0;
  thread.frames.push_back({kPop, callee_of(edge)});
}

inline void PcceEncoder::ret(Thread& thread) {
  const std::uint64_t undo = thread.frames.back().undo;
  thread.frames.pop_back();
  if (undo != kPop) [[likely]] {
    thread.id -= undo;
    return;
  }
  thread.id = thread.pieces.back().code();
  thread.pieces.pop_back();
}

inline void PcceEncoder::unwind(Thread& thread, std::uint32_t count) {
  for (; count > 0; --count) ret(thread);
}

}  // namespace copse::encoders
