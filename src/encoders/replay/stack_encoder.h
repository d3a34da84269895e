// A numbering (numbering/numbering.h) with the papers' stack: at a call that it does not map, the caller's code and the
// call's edge are pushed, and the code restarts at 0. A token holds the code and the whole stack, so no table is
// shared; codes fill a word of any size.
//
// An entry names the callee, so no code need be reserved for "a piece starts here": its piece contains the callee once.
// In a token, equal consecutive entries are one entry with a count (DACCE). If the numbering has epochs, a token names
// its own (the paper's time stamp), and all live threads are encoded again when an epoch begins.
//
// Weakened, an entry names its call site alone, as PCCE's does, but without PCCE's dummy edge. Code 0 is then read as the
// method's first context, if the method has one.
//
// Token: [epoch 4,] method 4, code 8, then per entry 16 bytes (13 with sites), 4 more with a count;
// oldest first. State: 12 bytes per frame, 16 per entry.
// Return discipline: restore; the papers undo what the call did.
#pragma once

#include <memory>
#include <vector>

#include "base/flat_map.h"
#include "encoders/numbering/numbering.h"
#include "encoders/replay/encoder.h"
#include "encoders/replay/frame_threads.h"
#include "graph/call_graph.h"

namespace copse::encoders {

enum class StackNames : std::uint8_t { kEdges, kSites };

struct StackFrame {
  // Has a constructor for emplace_back(): copying a whole frame right after storing its fields one by one would stall
  // the processor.
  StackFrame() = default;
  StackFrame(std::uint64_t its_code, EdgeKey its_edge, std::uint32_t its_height) noexcept
      : code(its_code), edge(its_edge), height(its_height) {}

  std::uint64_t code = 0;
  EdgeKey edge = kNoEdge;    // replay only: edge of entry
  std::uint32_t height = 0;  // of the stack
};
struct StackEntry {
  std::uint64_t code;  // code of the edge's caller
  EdgeKey edge;
};
struct StackThread {
  std::vector<StackFrame> frames = {StackFrame{}};
  std::vector<StackEntry> entries;  // entries from the last frame's height on have no meaning
};

class StackEncoder : public FrameThreads<StackThread> {
 public:
  using Frame = StackFrame;
  using Entry = StackEntry;

  explicit StackEncoder(std::unique_ptr<CodeNumbering> numbering)
      : numbering_(std::move(numbering)), slots_(numbering_->slots()) {}
  // `graph`: the graph of the numbering.
  StackEncoder(std::unique_ptr<CodeNumbering> numbering, const graph::CallGraph& graph,
               StackNames names);

  void call(Thread& thread, EdgeKey edge);
  void token(const Thread& thread, Token& out) const;
  Result<CallPath> decode(const Token& token) const;
  MemoryUse memory() const;
  // Collects the thread's context for a numbering with epochs, as a sample of the program's calls.
  void collect(const Thread& thread);
  StackHeight stack_height(const Thread& thread) const {
    return {.entries = thread.frames.back().height, .code = thread.frames.back().code};
  }
  SchemeFacts facts() const;
  void save_state(wire::StateWriter& out) const { numbering_->save(out); }
  void load_state(wire::StateReader& in) { numbering_->load(in); }

  const CodeNumbering& numbering() const noexcept { return *numbering_; }
  // Begins the next epoch at once. REQUIRES: the numbering has epochs.
  void begin_epoch();

 private:
  struct Step {
    std::uint64_t first = 0;
    std::uint64_t length = 0;
    std::uint64_t addition = 0;
    std::uint64_t factor = 1;
  };
  struct TokenEntry {
    Entry entry;
    std::uint32_t count;
  };

  bool has_epochs() const noexcept { return slots_ == SlotKind::kEpochMappings; }
  bool is_static() const noexcept {
    return slots_ == SlotKind::kAdditions || slots_ == SlotKind::kRadices;
  }
  // `step`: known data of the edge, nullptr if none.
  void call_slow(Thread& thread, EdgeKey edge, const Step* step);
  void learn(Thread& thread, EdgeKey edge);
  void push(Thread& thread, EdgeKey edge);
  std::vector<TokenEntry> take_entries(TokenReader& reader) const;
  bool starts_here(const CodeNumbering& codes, MethodId method, std::uint64_t code,
                   const std::vector<TokenEntry>& entries) const;

  std::unique_ptr<CodeNumbering> numbering_;
  SlotKind slots_;
  StackNames names_ = StackNames::kEdges;
  FlatMap<EdgeKey, Step> steps_;
  std::uint64_t epoch_ = 0;
  std::vector<std::uint64_t>
      threads_ns_;  // time that threads took to be encoded again, by epoch after the first
  PushCount pushes_;
};

inline void StackEncoder::call(Thread& thread, EdgeKey edge) {
  const Frame& caller = thread.frames.back();
  const Step* step = steps_.find(edge);
  if (step && caller.code - step->first < step->length) [[likely]] {
    const std::uint64_t next = caller.code * step->factor + step->addition;
    thread.frames.emplace_back(next, edge, caller.height);
  } else {
    call_slow(thread, edge, step);
  }
}

}  // namespace copse::encoders
