// Run-stable ids in the manner of DCCE (CC 2025). We know only its abstract: "running static path count", globally
// distinguishable, equal in every run. The design here is ours: PCCE numbering in which
//   * methods are ordered by a key the caller supplies that does not depend on the run (a hash of
//     the qualified name), edges by (caller, site ordinal, callee) in that order, not by profile;
//   * method n's codes start at the sum of the path counts of all methods before it, so an id alone
//     names method and path;
//   * every cut edge has a code of its own in its target's range, so a saved id needs no call site.
// Equal graphs therefore give equal ids for equal contexts, whatever ids methods got in the run.
//
// Token: id 8, then per cut edge on the stack 8 bytes, oldest first. An edge unknown to the graph adds 8 bytes with
// this run's method ids, so such tokens are not stable. Return discipline: inverse.
#pragma once

#include <functional>

#include "encoders/replay/encoder.h"
#include "encoders/replay/thread_table.h"
#include "encoders/scheme/path_numbering.h"

namespace copse::encoders {

class StableIdEncoder {
 public:
  using MethodKey = std::function<std::uint64_t(MethodId)>;

  struct Frame {
    std::uint64_t undo;  // what the exit subtracts, modulo 2^64, or kPop
    EdgeKey edge;
  };
  struct Saved {
    std::uint64_t id;
    EdgeKey unknown_edge;  // kNoEdge if the graph knows the edge
  };
  struct Thread {
    std::uint64_t id = 0;
    std::vector<Saved> saved;
    std::vector<Frame> frames;  // replay only
  };

  // REQUIRES: `method_key` differs for all methods of the graph.
  StableIdEncoder(const graph::CallGraph& graph, const MethodKey& method_key);

  Thread& thread(ThreadIndex index) { return threads_.get(index); }
  void start(Thread& thread);
  void call(Thread& thread, EdgeKey edge);
  void ret(Thread& thread);
  void unwind(Thread& thread, std::uint32_t count);
  void end(Thread& thread) { thread = Thread(); }
  void token(const Thread& thread, Token& out) const;
  Result<CallPath> decode(const Token& token) const;
  MemoryUse memory() const;
  StackHeight stack_height(const Thread& thread) const { return {.entries = thread.saved.size()}; }
  SchemeFacts facts() const;

 private:
  // Marks no change of an id: changes lie within 2^62 of 0, modulo 2^64.
  static constexpr std::uint64_t kPop = std::uint64_t{1} << 63;

  struct Step {
    std::uint64_t change = 0;  // added to the id, modulo 2^64; for a cut edge: the new id
    std::uint64_t is_cut = 0;
  };
  // The ids [first, first + width) come by `edge`; for a cut edge only `first`.
  struct Range {
    std::uint64_t first;
    std::uint64_t caller_first;  // id of the caller's path for `first`
    EdgeKey edge;
    std::uint64_t width;  // 0 for a cut edge
  };

  void push_unknown(Thread& thread, EdgeKey edge);
  void save(Thread& thread, EdgeKey unknown_edge) {
    thread.saved.push_back({thread.id, unknown_edge});
    pushes_.pushed(thread.saved.size());
  }

  FlatMap<EdgeKey, Step> steps_;
  std::vector<Range> ranges_;         // ascending, over all methods
  std::vector<std::uint64_t> bases_;  // by method: its first id; 0 for ROOT and unknown methods
  std::vector<SchemeFact> facts_;     // of the graph
  PushCount pushes_;
  ThreadTable<Thread> threads_;
};

inline void StableIdEncoder::call(Thread& thread, EdgeKey edge) {
  const Step* step = steps_.find(edge);
  if (step && !step->is_cut) [[likely]] {
    thread.id += step->change;
    thread.frames.push_back({step->change, edge});
    return;
  }
  if (step) {
    save(thread, kNoEdge);
    thread.id = step->change;
  } else {
    push_unknown(thread, edge);
  }
  thread.frames.push_back({kPop, edge});
}

inline void StableIdEncoder::ret(Thread& thread) {
  const std::uint64_t undo = thread.frames.back().undo;
  thread.frames.pop_back();
  if (undo != kPop) [[likely]] {
    thread.id -= undo;
    return;
  }
  thread.id = thread.saved.back().id;
  thread.saved.pop_back();
}

}  // namespace copse::encoders
