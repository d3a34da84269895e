// DACCE (Li et al., CGO 2014): PCCE over a call graph that is discovered while the program runs and
// renumbered when it pays.
//
// A call by an edge the current dictionary numbers adds its value. Any other edge (new, or closing
// a cycle) pushes (id, edge) on the thread's helper stack and sets the id to maxID + 1; the same
// push repeated only counts. Re-encoding numbers the known graph, hottest edges first, stores it as
// the dictionary of the next time stamp and rewrites every live thread as if it had run under it:
// returns would otherwise subtract new values from old ids.
//
// Re-encoding is triggered by: `first_period` new edges, and later a quarter of the known ones
// (`fixed_period` keeps the first figure); `stack_period` pushes for edges that a new dictionary
// would number; hot paths that changed. Hot edges are those on the stacks of every
// `sample_period`-th call. Every 64 samples their heat is set beside the dictionary: when a quarter
// of it is on methods whose hottest in-edge is not the one that adds 0, re-encoding pays. A
// thread's entry edge is put into the dictionary before it runs.
//
// Token: time stamp 4, method 4, id 8, then per helper entry 16 bytes, or 20 when it repeats.
// Return discipline: inverse.
#pragma once

#include "base/flat_map.h"
#include "encoders/encoder.h"
#include "encoders/thread_table.h"
#include "graph/call_graph.h"

namespace copse::encoders {

struct DacceOptions {
  std::uint32_t first_period = 8;
  bool fixed_period = false;
  std::uint64_t stack_period = 1 << 12;
  std::uint32_t sample_period = 1 << 12;
  std::uint64_t max_id = (std::uint64_t{1} << 61) - 1;  // ids reach twice as far
  bool counts_repeats = true;

  static DacceOptions period(std::uint32_t new_edges);
  static DacceOptions never();
};

class DacceEncoder {
 public:
  struct Frame {
    EdgeKey edge;
    std::uint64_t undo;  // what the exit subtracts, or kPop
  };
  struct HelperEntry {
    std::uint64_t saved;
    EdgeKey edge;
    std::uint32_t repeats;  // at least 1
  };
  struct Thread {
    std::uint64_t id = 0;
    std::vector<HelperEntry> helper;
    std::vector<Frame> frames;  // replay only; re-encoding reads it where DACCE would decode
  };

  explicit DacceEncoder(DacceOptions options = {}) : DacceEncoder(CallGraph(), options) {}
  // Starts with the edges of `known` numbered at time stamp 0.
  DacceEncoder(const CallGraph& known, DacceOptions options);

  Thread& thread(ThreadIndex index) { return threads_.get(index); }
  void start(Thread& thread);
  void call(Thread& thread, EdgeKey edge);
  void ret(Thread& thread);
  void unwind(Thread& thread, std::uint32_t count);
  void end(Thread& thread) { thread = Thread(); }
  void token(const Thread& thread, Token& out) const;
  Result<CallPath> decode(const Token& token) const;
  MemoryUse memory() const;
  void save_state(StateWriter& out) const;
  void load_state(StateReader& in);

  void re_encode();
  std::uint32_t time_stamp() const noexcept {
    return static_cast<std::uint32_t>(dictionaries_.size() - 1);
  }
  std::uint64_t max_id() const noexcept { return dictionaries_.back().max_id; }

 private:
  static constexpr std::uint64_t kPop = ~std::uint64_t{0};
  static constexpr std::uint64_t kNotEncoded = ~std::uint64_t{0};

  struct Step {
    std::uint64_t addition = kNotEncoded;
    std::uint32_t edge = 0;    // one-based index into graph_
    std::uint32_t is_cut = 0;  // a new dictionary would not number it either
  };
  struct InEdge {
    EdgeKey key;
    std::uint64_t addition;
  };
  struct Dictionary {
    std::uint64_t max_id = 0;
    std::vector<InEdge> in_edges;  // by callee, then by addition
  };

  static bool is_before(const InEdge& a, const InEdge& b) noexcept;
  void call_slow(Thread& thread, EdgeKey edge);
  void push(Thread& thread, EdgeKey edge);
  void sample(const Thread& thread);
  bool hot_paths_changed() const;
  void replay(Thread& thread);
  const InEdge* in_edge_of(const Dictionary& dictionary, MethodId method, std::uint64_t id) const;

  DacceOptions options_;
  FlatMap<EdgeKey, Step> steps_;
  CallGraph graph_;  // calls = times sampled
  std::vector<Dictionary> dictionaries_;
  std::uint32_t new_edges_ = 0;
  std::uint32_t until_sample_;
  std::uint32_t samples_ = 0;
  std::uint64_t avoidable_pushes_ = 0;
  ThreadTable<Thread> threads_;
};

inline void DacceEncoder::call(Thread& thread, EdgeKey edge) {
  if (--until_sample_ == 0) [[unlikely]]
    sample(thread);
  const Step* step = steps_.find(edge);
  if (step && step->addition != kNotEncoded) [[likely]] {
    thread.id += step->addition;
    thread.frames.push_back({edge, step->addition});
  } else {
    call_slow(thread, edge);
  }
}

inline void DacceEncoder::ret(Thread& thread) {
  const std::uint64_t undo = thread.frames.back().undo;
  thread.frames.pop_back();
  if (undo != kPop) [[likely]] {
    thread.id -= undo;
    return;
  }
  HelperEntry& top = thread.helper.back();
  thread.id = top.saved;
  if (--top.repeats == 0) thread.helper.pop_back();
}

}  // namespace copse::encoders
