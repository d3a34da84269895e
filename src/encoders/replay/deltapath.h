// DeltaPath (Zeng et al., CGO 2014): PCCE for virtual calls and late-loaded code. A site adds one
// value whatever its target (deltapath_numbering.h); anchors, recursion and calls through code the
// analysis never saw push an entry that names the method entered, and restart the id at 0.
//
// Methods outside the graph are unknown code: they carry no probe, and decode leaves them out. The
// instrumented method they come from has noted its pending call (site, id) in a per-thread record.
// The callee's entry compares: a callee that site can have is benign; any other is pushed as an
// unexpected call path with the record's site and id.
//
// Literal form and what it gets wrong (each an option, all off by default):
//   sid_check       compares set ids, where sets sharing a target are one: misses some paths
//   stale_record    the record is restored at exits that pop alone, so it may name a method that has returned
//   numbering       no way out of a livelock; where the listing is followed to the letter, kept state at restarts
//
// Token: method 4, id 8, then per entry 12 (anchor) or 16 bytes (call edge), oldest first.
// State: 24 bytes per frame. Return: frames keep the id and the stack height, so unwind is O(1) where nothing was pushed.
#pragma once

#include "base/flat_map.h"
#include "encoders/replay/encoder.h"
#include "encoders/replay/thread_table.h"
#include "encoders/scheme/deltapath_numbering.h"

namespace copse::encoders {

struct DeltaPathOptions {
  DeltaPathNumberingOptions numbering;
  bool sid_check = false;
  bool stale_record = false;

  static DeltaPathOptions literal();
  static DeltaPathOptions
  literal_kept();  // numbered again without clearing, as Algorithm 2 is printed
};

class DeltaPathEncoder {
 public:
  struct Record {
    std::uint64_t site = 0;  // site_key of the pending call
    std::uint64_t id = 0;    // before the site's addition
  };
  struct Frame {
    std::uint64_t id = 0;  // the caller's, before the site's addition
    Record record;         // as found at entry
    MethodId method{};
    std::uint32_t height = 0;  // entries below this frame; kUnknownCode set without a probe
  };
  struct Entry {
    std::uint64_t saved;  // id to go on with; kCallEdge set unless the entry is an anchor's
    EdgeKey edge;         // anchor: only the callee
  };
  struct Thread {
    std::uint64_t id = 0;
    std::vector<Entry> entries;
    std::vector<Frame> frames = {Frame{}};
    Record last_record;  // stale_record only
  };

  explicit DeltaPathEncoder(const graph::CallGraph& graph, const DeltaPathOptions& options = {});

  Thread& thread(ThreadIndex index) { return threads_.get(index); }
  void start(Thread& thread);
  void call(Thread& thread, EdgeKey edge);
  void ret(Thread& thread);
  void unwind(Thread& thread, std::uint32_t count);
  void end(Thread& thread) { thread = Thread(); }
  // In unknown code: writes the token of the nearest method with a probe.
  void token(const Thread& thread, Token& out) const;
  Result<CallPath> decode(const Token& token) const;
  // Returns the context restricted to known methods; a step across unknown code is (site of the nearest known caller,
  // callee).
  CallPath expected(const CallPath& truth) const;
  MemoryUse memory() const;
  StackHeight stack_height(const Thread& thread) const;
  // The columns of the paper's Table 1: of the graph without ROOT; an anchor's territory has `methods`.
  SchemeFacts facts() const;

  const std::vector<MethodId>& anchors() const noexcept { return numbering_.anchors; }
  bool livelock() const noexcept { return numbering_.livelock; }

 private:
  static constexpr std::uint64_t kCallEdge = std::uint64_t{1} << 63;
  static constexpr std::uint64_t kPushed = std::uint64_t{1} << 63;
  static constexpr std::uint64_t kAnchor = std::uint64_t{1} << 62;
  static constexpr std::uint64_t kFlags = kPushed | kAnchor;
  static constexpr std::uint32_t kUnknownCode = std::uint32_t{1} << 31;
  static constexpr std::uint32_t kNoTerritory = ~std::uint32_t{0};

  struct InEdge {
    std::uint64_t addition;
    EdgeKey key;
    std::uint32_t edge;  // index into the graph
  };

  struct At {
    std::size_t frame;
    std::uint64_t id;
    std::size_t height;
  };

  // The nearest method with a probe.
  At nearest_known(const Thread& thread) const;
  void build_sids(const graph::CallGraph& graph);
  void build_in_edges(const graph::CallGraph& graph);
  void call_unknown(Thread& thread, EdgeKey edge);
  void push(Thread& thread, const Entry& entry);
  void enter_by_push(Thread& thread, EdgeKey edge, std::uint64_t step);
  // Entries of calls have the record that was found at entry.
  static void pop(Thread& thread, const Frame& frame, std::uint32_t height) {
    if (thread.entries[height].saved & kCallEdge) thread.last_record = frame.record;
    thread.entries.resize(height);
  }
  bool expects(const Record& record, MethodId callee) const;
  bool is_known(MethodId method) const noexcept {
    return raw(method) < known_.size() && known_[raw(method)];
  }
  std::uint32_t territory_below(const std::vector<Entry>& entries) const;
  const InEdge* in_edge_of(MethodId method, std::uint64_t id, std::uint32_t anchor,
                           std::size_t& work) const;

  DeltaPathOptions options_;
  FlatMap<EdgeKey, std::uint64_t> steps_;            // addition and flags
  FlatMap<std::uint64_t, std::uint64_t> sites_;      // site key + 1 -> addition
  FlatMap<std::uint64_t, std::uint32_t> site_sids_;  // site key + 1 -> set id + 1
  std::vector<std::uint32_t> sids_;                  // by method
  std::vector<std::uint8_t> known_;                  // by method
  std::vector<InEdge> in_edges_;                     // grouped by callee, falling addition
  std::vector<std::uint32_t> in_starts_;
  DeltaPathNumbering numbering_;
  std::vector<SchemeFact> facts_;
  std::uint64_t unexpected_calls_ = 0;
  PushCount pushes_;
  ThreadTable<Thread> threads_;
};

inline void DeltaPathEncoder::call(Thread& thread, EdgeKey edge) {
  const std::uint64_t* step = steps_.find(edge);
  if (!step) [[unlikely]] {
    call_unknown(thread, edge);
    return;
  }
  thread.last_record = {site_key(edge), thread.id};
  thread.frames.push_back({thread.id, thread.last_record, callee_of(edge),
                           static_cast<std::uint32_t>(thread.entries.size())});
  if (!(*step & kFlags)) [[likely]] {
    thread.id += *step;
  } else {
    enter_by_push(thread, edge, *step);
  }
}

inline void DeltaPathEncoder::ret(Thread& thread) {
  const Frame& frame = thread.frames.back();
  thread.id = frame.id;
  const std::uint32_t height = frame.height & ~kUnknownCode;
  if (thread.entries.size() != height) [[unlikely]]
    pop(thread, frame, height);
  thread.frames.pop_back();
}

inline void DeltaPathEncoder::unwind(Thread& thread, std::uint32_t count) {
  const Frame& frame = thread.frames[thread.frames.size() - count];
  if (thread.entries.size() != (frame.height & ~kUnknownCode)) {
    while (count-- > 0) ret(thread);
    return;
  }
  thread.id = frame.id;
  thread.frames.resize(thread.frames.size() - count);
}

}  // namespace copse::encoders
