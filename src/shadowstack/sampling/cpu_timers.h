// A timer for each thread on the clock of its own processor time, whose signal has the thread note
// where it stands (sampled_thread.h).
//
// The kernel looks at these clocks at its ticks, those of the thread that a tick finds running. So
// timers run out at once, and every tick that finds a thread running sends it a signal; of these the
// wanted share is taken, beginning at random. A tick is a sample of what runs, whatever the threads
// do: one that ends sooner than the next tick is found with the probability that makes the sum
// right. A timer that ran for a period, or for a random part of one, would mostly find that such a
// thread has ended.
//
// Threads: any; one mutex.
#pragma once

#include <csignal>
#include <cstdint>
#include <functional>
#include <mutex>

#include "base/status.h"
#include "shadowstack/object_region.h"
#include "shadowstack/sampling/sampled_thread.h"

namespace copse::sampling {

// What drain() has taken out. `ns`: its part of the processor time that all threads with a timer
// used since the samples before, by their clocks.
using TakeSample = std::function<void(const Sample&, std::uint64_t ns)>;
using ReleaseReference = std::function<void(std::uint64_t reference)>;

// One per process, never destroyed: signals may be on their way.
class CpuTimers {
 public:
  CpuTimers();
  CpuTimers(const CpuTimers&) = delete;
  CpuTimers& operator=(const CpuTimers&) = delete;

  // Whether start() would find a signal.
  static bool has_free_signal() noexcept;
  // Threads that begin from now on have their samples handed to `take`, one at a time.
  // `release`: told of each reference that begin() was given, once nothing reads it any more.
  // Takes a real-time signal that nobody handles, and keeps it. The error says that there is none.
  // `period_ns`: of processor time for a sample, but no less than a tick.
  Status start(std::uint64_t period_ns, TakeSample take, ReleaseReference release);
  // No thread has a timer any more, and all samples are taken out.
  void stop() noexcept;

  // Called by: the thread itself, which has the header and is no virtual one. Without a timer,
  // which the system may refuse, the thread has no samples. Between stop() and start() it has none
  // either. False: then, or when it has begun already; `word.reference` is not released.
  bool begin(shadowstack::ThreadHeader& header, const WordInObject& word) noexcept;
  // Called by: the same, while the header is still its own.
  void end(shadowstack::ThreadHeader& header) noexcept;

  // Takes out what waits.
  void drain() noexcept;
  // The same if any of the header's waits: before what its words refer to goes.
  void drain_for(const shadowstack::ThreadHeader& header) noexcept {
    std::atomic_ref<const std::uint64_t> waiting(header.samples);
    if (waiting.load(std::memory_order_acquire) != 0) drain();
  }

  struct Totals {
    std::uint64_t processor_ns = 0;   // that threads with a timer used, by their clocks
    std::uint64_t sampled_ns = 0;     // of it, up to the last samples: that these stand for
    std::uint64_t lost = 0;           // samples without room
    std::uint64_t lost_ns = 0;        // that they stand for
    std::uint64_t without_timer = 0;  // threads
  };
  // Since start().
  Totals totals() noexcept;

 private:
  static constexpr std::size_t kMostThreads = 1 << 16;

  static void on_signal(int signal, siginfo_t* info, void* interrupted) noexcept;
  Status take_signal();
  SampledThread* take_thread() noexcept;
  bool set_timer(SampledThread& thread) noexcept;
  std::uint64_t first_phase() noexcept;
  void end_timer(SampledThread& thread) noexcept;
  void drain_locked() noexcept;
  std::uint64_t processor_ns() noexcept;

  int signal_ = 0;  // 0: none taken yet
  std::mutex mutex_;
  bool is_on_ = false;
  std::uint64_t share_ = 0;  // of signals that are samples, out of 2^32; constant while it is on
  TakeSample take_;
  ReleaseReference release_;
  Totals totals_;
  std::uint64_t random_;
  shadowstack::ObjectRegion<SampledThread> threads_;
};

// What the clock of a thread, or of the process, shows; 0 when it is gone.
std::uint64_t clock_ns(clockid_t clock) noexcept;

}  // namespace copse::sampling
