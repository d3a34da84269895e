// PCCE as published (Sumner et al., ICSE 2010; RCCE's paper restates it in section 2.3). A method with cut in-edges has a
// dummy edge from the root, which owns its first code; every other in-edge e owns the range [av(e), av(e) + numCC(caller)).
//   cut edge:    push(id, site); id = av(dummy); call; id = pop().id
//   other edge:  id += av(e); call; id -= av(e)
// Decoding takes the in-edge with the largest av not above the id; the dummy edge pops the call that led here.
//
// The paper's one root is main. Here it is ROOT, which calls every thread's entry. The paper says nothing about calls
// that the graph does not know: they push like cut edges, with id 0 where the callee has no dummy edge, and such a
// context may decode to another one.
//
// Token: method 4, id 8, then per entry id 8 and site 5, oldest first.
// Return discipline: inverse; an unwind runs the exits that it skips.
#pragma once

#include <vector>

#include "base/flat_map.h"
#include "encoders/replay/encoder.h"
#include "encoders/replay/thread_table.h"
#include "graph/call_graph.h"

namespace copse::encoders {

class PublishedPcceEncoder {
 public:
  struct Entry {
    std::uint64_t id;
    CallSite site;
  };
  struct Thread {
    std::uint64_t id = 0;
    std::vector<Entry> entries;
    std::vector<EdgeKey> frames;  // replay only: edges of entry
  };

  PublishedPcceEncoder(const graph::CallGraph& graph, std::uint64_t most_codes);

  Thread& thread(ThreadIndex index) { return threads_.get(index); }
  void start(Thread& thread) { thread = Thread(); }
  void call(Thread& thread, EdgeKey edge);
  void ret(Thread& thread);
  void unwind(Thread& thread, std::uint32_t count) {
    while (count-- > 0) ret(thread);
  }
  void end(Thread& thread) { thread = Thread(); }
  void token(const Thread& thread, Token& out) const;
  Result<CallPath> decode(const Token& token) const;
  MemoryUse memory() const;
  StackHeight stack_height(const Thread& thread) const {
    return {.entries = thread.entries.size(), .code = thread.id};
  }
  SchemeFacts facts() const;

 private:
  struct InEdge {
    std::uint64_t addition;
    EdgeKey edge;  // kNoEdge: the dummy edge
  };
  struct Method {
    std::vector<InEdge> in;   // ascending by addition; edges that are not cut, and the dummy edge
    std::uint64_t start = 0;  // av(dummy)
  };

  bool knows(MethodId method) const noexcept { return raw(method) < methods_.size(); }

  FlatMap<EdgeKey, std::uint64_t> additions_;  // of edges that are not cut
  std::vector<Method> methods_;
  std::vector<SchemeFact> facts_;  // of the graph
  PushCount pushes_;
  ThreadTable<Thread> threads_;
};

inline void PublishedPcceEncoder::call(Thread& thread, EdgeKey edge) {
  thread.frames.push_back(edge);
  if (const std::uint64_t* addition = additions_.find(edge)) [[likely]] {
    thread.id += *addition;
    return;
  }
  thread.entries.push_back({thread.id, site_of(edge)});
  pushes_.pushed(thread.entries.size());
  thread.id = knows(callee_of(edge)) ? methods_[raw(callee_of(edge))].start : 0;
}

inline void PublishedPcceEncoder::ret(Thread& thread) {
  if (const std::uint64_t* addition = additions_.find(thread.frames.back())) [[likely]] {
    thread.id -= *addition;
  } else {
    thread.id = thread.entries.back().id;
    thread.entries.pop_back();
  }
  thread.frames.pop_back();
}

}  // namespace copse::encoders
