// RCCE and RCCE- as published (Wang, Li, Leung 2016). A method's s in-edges have serials k; ROOT, which calls every
// thread's entry, has id 1.
//   call:    if id * s + k overflows: push(id, caller); id = 1; else id = id * s + k
//   return:  if id == 1: id = pop().id; else id = id / s
// RCCE- checks neither: its id wraps, and what division then gives is wrong from there on.
//
// Two readings of an entry of the stack. Section 2.4 stores the caller M of an overflowing call (M, N) beside the id. That
// names the call if M calls N at one place alone. Section 3.1 says that the id is pushed, and no more. Decoding then ends
// with an error where the id was reset.
//
// An edge into a method with one in-edge has no code: the paper's argument that an id is never 1 behind a call holds only
// for s > 1. The paper says nothing about calls that the graph does not know: they push and pop, and decoding reads them as
// any other call.
//
// Token: method 4, id 8, then per entry 12 (8 without a caller), oldest first.
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
  bool names_callers = true;    // false: entries are ids alone
};

class PublishedRcceEncoder {
 public:
  struct Entry {
    std::uint64_t id;
    MethodId caller;
  };
  struct Thread {
    std::uint64_t id = 1;
    std::vector<Entry> entries;
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
  using InEdges = std::vector<EdgeKey>;  // by serial

  void push(Thread& thread, MethodId caller) {
    thread.entries.push_back({thread.id, caller});
    pushes_.pushed(thread.entries.size());
    thread.id = 1;
  }
  static void pop(Thread& thread) {
    thread.id = thread.entries.back().id;
    thread.entries.pop_back();
  }

  PublishedRcceOptions options_;
  FlatMap<EdgeKey, Probe> probes_;
  std::vector<InEdges> in_;        // by method
  std::vector<SchemeFact> facts_;  // of the graph
  PushCount pushes_;
  ThreadTable<Thread> threads_;
};

inline void PublishedRcceEncoder::call(Thread& thread, EdgeKey edge) {
  thread.frames.push_back(edge);
  const Probe* probe = probes_.find(edge);
  if (probe == nullptr) {
    push(thread, caller_of(edge));
  } else if (probe->radix > 1) {
    if (options_.checks_overflow &&
        thread.id > (options_.largest_id - probe->serial) / probe->radix) {
      push(thread, caller_of(edge));
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
    pop(thread);
  } else if (probe->radix > 1) {
    if (options_.checks_overflow && thread.id == 1) {
      pop(thread);
    } else {
      thread.id /= probe->radix;
    }
  }
}

}  // namespace copse::encoders
