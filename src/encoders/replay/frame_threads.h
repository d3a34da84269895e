// Threads of encoders with restore discipline: a thread's state is restored from its frames, so a return or an unwind
// removes frames and does nothing else.
//
// `Thread`: a default-constructed one stands at ROOT; it has a vector `frames`.
#pragma once

#include "encoders/replay/thread_table.h"
#include "encoders/scheme/memory_use.h"

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
  // Bytes of the states and their frames.
  std::uint64_t live_bytes() const {
    std::uint64_t bytes = threads_.bytes();
    threads_.for_each([&](const Thread& t) { bytes += allocated_bytes(t.frames); });
    return bytes;
  }

  ThreadTable<Thread> threads_;
};

}  // namespace copse::encoders
