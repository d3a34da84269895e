// Stack walking: the token is the shadow stack itself. Exact by construction, O(depth) per event;
// the oracle the other encoders are compared with.
//
// Token: 8 bytes per live frame. State: 8 bytes per frame.
#pragma once

#include "encoders/encoder.h"
#include "encoders/thread_table.h"

namespace copse::encoders {

class StackWalkEncoder {
 public:
  struct Thread {
    std::vector<EdgeKey> frames;
  };

  Thread& thread(ThreadIndex index) { return threads_.get(index); }
  void start(Thread& thread) { thread.frames.clear(); }
  void call(Thread& thread, EdgeKey edge) { thread.frames.push_back(edge); }
  void ret(Thread& thread) { thread.frames.pop_back(); }
  void unwind(Thread& thread, std::uint32_t count) {
    thread.frames.resize(thread.frames.size() - count);
  }
  void end(Thread& thread) { thread = Thread(); }
  void token(const Thread& thread, Token& out) const;
  Result<CallPath> decode(const Token& token) const;
  MemoryUse memory() const;

 private:
  ThreadTable<Thread> threads_;
};

}  // namespace copse::encoders
