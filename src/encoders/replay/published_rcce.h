// RCCE and RCCE- as published (Wang, Li, Leung 2016). A method's s in-edges have serials k, and the id of a program's
// entry is 1.
//   call:    if id * s + k overflows: push(id); id = 1; else id = id * s + k
//   return:  if id == 1: id = pop(); else id = id / s
// RCCE- checks neither: its id wraps, and what division then gives is wrong from there on.
//
// An edge into a method with one in-edge has no code: the paper's argument that an id is never 1 behind a call holds only
// for s > 1. An entry of the stack is an id alone, so that decoding ends with an error where the id was reset: the paper
// does not say how the caller is found there. The paper says nothing about calls that the graph does not know: they push
// and pop, and decoding reads them as any other call.
//
// Token: method 4, id 8, then per entry 8, oldest first.
// Return discipline: inverse; an unwind runs the exits that it skips.
#pragma once

#include <vector>

#include "base/flat_map.h"
#include "encoders/replay/encoder.h"
#include "encoders/replay/thread_table.h"
#include "graph/call_graph.h"

namespace copse::encoders {

struct PublishedRcceOptions {
  std::uint64_t largest_id = std::uint64_t{1} << 62;
  bool checks_overflow = true;  // false: RCCE-
};

class PublishedRcceEncoder {
 public:
  struct Thread {
    std::uint64_t id = 1;
    std::vector<std::uint64_t> entries;
    std::vector<EdgeKey> frames;  // replay only: edges of entry
  };

  explicit PublishedRcceEncoder(const graph::CallGraph& graph, PublishedRcceOptions options = {});

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
  struct Probe {
    std::uint32_t radix;  // s; 1: no code
    std::uint32_t serial;
  };
  struct Method {
    std::vector<EdgeKey> in;  // by serial
    bool is_entry = false;
  };

  void push(Thread& thread) {
    thread.entries.push_back(thread.id);
    pushes_.pushed(thread.entries.size());
    thread.id = 1;
  }
  static void pop(Thread& thread) {
    thread.id = thread.entries.back();
    thread.entries.pop_back();
  }

  PublishedRcceOptions options_;
  FlatMap<EdgeKey, Probe> probes_;
  std::vector<Method> methods_;
  std::vector<SchemeFact> facts_;  // of the graph
  PushCount pushes_;
  ThreadTable<Thread> threads_;
};

inline void PublishedRcceEncoder::call(Thread& thread, EdgeKey edge) {
  thread.frames.push_back(edge);
  const Probe* probe = probes_.find(edge);
  if (probe == nullptr) {
    if (caller_of(edge) != kRootMethod) push(thread);
  } else if (probe->radix > 1) {
    if (options_.checks_overflow &&
        thread.id > (options_.largest_id - probe->serial) / probe->radix) {
      push(thread);
    } else {
      thread.id = thread.id * probe->radix + probe->serial;
    }
  }
}

inline void PublishedRcceEncoder::ret(Thread& thread) {
  const EdgeKey edge = thread.frames.back();
  thread.frames.pop_back();
  const Probe* probe = probes_.find(edge);
  if (probe == nullptr) {
    if (caller_of(edge) != kRootMethod) pop(thread);
  } else if (probe->radix > 1) {
    if (options_.checks_overflow && thread.id == 1) {
      pop(thread);
    } else {
      thread.id /= probe->radix;
    }
  }
}

}  // namespace copse::encoders
