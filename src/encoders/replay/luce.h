// Luce (Salnikov-Tarnovski, Vojdani): PCCE over a versioned graph that grows as the program runs.
// A frame's value is <code, version>; decode rewinds the graph to that version (luce_graph.h).
//
// As published it mis-decodes in two ways, each mended by an option that is on by default: self edges (stores_additions),
// and methods entered from native code after another has returned (restores_pending). Codes grow by about a bit per
// recursive call and pass any word. The paper does not say what happens then; in the published form such a token does not
// decode. Here a method whose count would pass `max_count` is frozen: ranges it has stay, any other call of it pushes
// <code, version, edge> and restarts.
//
// Token: method 4, code 8, version 8, then per restart 24 bytes, oldest first.
// Return discipline: restore.
#pragma once

#include "encoders/replay/encoder.h"
#include "encoders/replay/thread_table.h"
#include "encoders/scheme/luce_graph.h"

namespace copse::encoders {

class LuceEncoder {
 public:
  struct Frame {
    LuceGraph::Code at;
    EdgeKey edge = kNoEdge;      // edge of entry, taken from the record of Calling
    std::uint32_t restarts = 0;  // live restarts, this frame's included
  };
  struct Restart {
    LuceGraph::Code at;  // code of the caller
    EdgeKey edge;
  };
  struct Pending {
    CallSite site;
    LuceGraph::Code at;
  };
  struct Thread {
    std::vector<Frame> frames = {Frame{}};
    std::vector<Restart> restarts;
    Pending pending;  // last record of Calling
  };

  explicit LuceEncoder(const LuceOptions& options = {}) : options_(options), graph_(options) {}

  Thread& thread(ThreadIndex index) { return threads_.get(index); }
  void start(Thread& thread);
  void call(Thread& thread, EdgeKey edge) {
    calling(thread, site_of(edge));
    entered(thread, callee_of(edge));
  }
  // The two halves of a call. Native code between them may enter several methods for one calling().
  void calling(Thread& thread, CallSite site) { thread.pending = {site, thread.frames.back().at}; }
  void entered(Thread& thread, MethodId callee);
  void ret(Thread& thread) { unwind(thread, 1); }
  void unwind(Thread& thread, std::uint32_t count);
  void end(Thread& thread) { thread = Thread(); }
  void token(const Thread& thread, Token& out) const;
  Result<CallPath> decode(const Token& token) const;
  MemoryUse memory() const;
  StackHeight stack_height(const Thread& thread) const {
    return {.entries = thread.frames.back().restarts, .code = thread.frames.back().at.code};
  }
  SchemeFacts facts() const;
  void save_state(wire::StateWriter& out) const { graph_.save(out); }
  void load_state(wire::StateReader& in) { graph_.load(in); }

  const LuceGraph& graph() const noexcept { return graph_; }

 private:
  LuceOptions options_;
  LuceGraph graph_;
  PushCount pushes_;
  ThreadTable<Thread> threads_;
};

}  // namespace copse::encoders
