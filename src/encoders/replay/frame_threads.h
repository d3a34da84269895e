// What the encoders of restore discipline share: a thread's state is found again in its frames, so
// a return or an unwind takes frames away and does nothing else.
//
// `Thread` is made as a thread stands at ROOT and has a vector `frames`.
#pragma once

#include "encoders/replay/memory_use.h"
#include "encoders/replay/thread_table.h"

namespace copse::encoders {

template <typename ThreadState>
class FrameThreads {
 public:
  using Thread = ThreadState;

  Thread& thread(ThreadIndex index) { return threads_.get(index); }
  void start(Thread& thread) { thread = Thread(); }
  void ret(Thread& thread) { thread.frames.pop_back(); }
  void unwind(Thread& thread, std::uint32_t count) {
    thread.frames.resize(thread.frames.size() - count);
  }
  void end(Thread& thread) { thread = Thread(); }

 protected:
  // The states and their frames.
  std::uint64_t live_bytes() const {
    std::uint64_t bytes = threads_.bytes();
    threads_.for_each([&](const Thread& t) { bytes += allocated_bytes(t.frames); });
    return bytes;
  }

  ThreadTable<Thread> threads_;
};

}  // namespace copse::encoders
