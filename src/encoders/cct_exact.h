// The exact calling context tree (Ammons, Ball, Larus, with "equivalent" meaning equal parents
// only): one node per distinct context. All program threads share one tree.
//
// Token: node index, 4 bytes. State: 4 bytes per frame, 24 to 32 per context.
// Return discipline: restore.
#pragma once

#include "encoders/context_nodes.h"
#include "encoders/encoder.h"
#include "encoders/thread_table.h"

namespace copse::encoders {

class ExactCctEncoder {
 public:
  struct Thread {
    std::vector<std::uint32_t> frames = {0};  // node per live frame, ROOT first
  };

  Thread& thread(ThreadIndex index) { return threads_.get(index); }
  void start(Thread& thread) { thread.frames.assign(1, 0); }
  void call(Thread& thread, EdgeKey edge) {
    thread.frames.push_back(nodes_.child(thread.frames.back(), edge));
  }
  void ret(Thread& thread) { thread.frames.pop_back(); }
  void unwind(Thread& thread, std::uint32_t count) {
    thread.frames.resize(thread.frames.size() - count);
  }
  void end(Thread& thread) { thread = Thread(); }
  void token(const Thread& thread, Token& out) const { out.put(thread.frames.back(), 4); }
  Result<CallPath> decode(const Token& token) const;
  MemoryUse memory() const;
  void save_state(StateWriter& out) const { nodes_.save(out); }
  void load_state(StateReader& in) { nodes_.load(in); }

  std::uint32_t node_count() const noexcept { return nodes_.size(); }  // ROOT included

 private:
  ContextNodes nodes_;
  ThreadTable<Thread> threads_;
};

}  // namespace copse::encoders
