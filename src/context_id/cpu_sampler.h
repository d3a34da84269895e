// Processor time by context, from looking at other threads' words without stopping them.
//
// Each look asks a thread's own clock how much processor time it used since the last look; that
// much is an event where its word stands now. A thread that used none has none. So the weights of
// all events of a thread add up to its processor time from its start to its last look; what it used
// after that, when it has ended, nobody knows where, is at a place of its own. A word is one
// aligned load: what is read is where the thread stood at some moment of the look, never a mixture.
// What the probe at a method's entry takes counts for the caller, whose word stands until then.
//
// Threads: sample() by one at a time, end_of() by the thread that ends.
#pragma once

#include "context_id/context_ids.h"
#include "events/event_threads.h"

namespace copse::context_id {

class CpuSampler {
 public:
  CpuSampler(events::EventThreads& threads, ContextIds& ids) : threads_(threads), ids_(ids) {}

  // Cost: a system call for each living thread, 200 to 500 ns.
  void sample() noexcept;
  void end_of(events::EventThread& thread) noexcept;

 private:
  static std::uint64_t used_since_last_look(events::EventThread& thread) noexcept;

  events::EventThreads& threads_;
  ContextIds& ids_;
};

}  // namespace copse::context_id
