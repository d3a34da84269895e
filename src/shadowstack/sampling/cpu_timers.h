// A timer for each thread, on the clock of its own processor time. The timer's signal makes the
// thread note its place (sampled_thread.h).
//
// The kernel checks these clocks at its ticks, for the thread that a tick finds running. Timers
// therefore run out at once, and every tick that finds a thread running sends it a signal. The
// wanted share of these signals is taken, each chosen at random. A tick is a sample of what runs,
// whatever the threads do: the probability of finding a thread that ends before the next tick makes
// the sum right. A timer that ran for a period, or for a random part of one, would mostly find that
// such a thread has ended.
//
// Thread-safe: one mutex.
#pragma once

#include <csignal>
#include <cstdint>
#include <functional>
#include <mutex>
#include <random>

#include "base/status.h"
#include "shadowstack/object_region.h"
#include "shadowstack/sampling/sampled_thread.h"

namespace copse::sampling {

// Consumer of a sample taken out by drain(). `ns`: the sample's part of the processor time that all
// threads with a timer used since the previous samples, by their clocks.
using TakeSample = std::function<void(const Sample&, std::uint64_t ns)>;
using ReleaseReference = std::function<void(std::uint64_t reference)>;

// One object per process, never destroyed: signals may be on their way.
class CpuTimers {
 public:
  CpuTimers();
  CpuTimers(const CpuTimers&) = delete;
  CpuTimers& operator=(const CpuTimers&) = delete;

  // Returns true if start() would find a free signal.
  static bool has_free_signal() noexcept;
  // Starts sampling: samples of threads that begin from now on go to `take`, one at a time.
  // Reserves a real-time signal without a handler; the error says that there is none. `release` is
  // called with each reference given to begin(), once nothing reads it any more. `period_ns`:
  // processor time per sample; at least a tick.
  Status start(std::uint64_t period_ns, TakeSample take, ReleaseReference release);
  // Ends all timers and takes out all samples.
  void stop() noexcept;

  // Gives the running thread a timer. Returns false, without releasing `word.reference`, between
  // stop() and start(), when the thread has begun already, and when the system refuses a timer;
  // without a timer the thread has no samples. Called by: the header's thread, which is not a
  // virtual one.
  bool begin(shadowstack::ThreadHeader& header, const WordInObject& word) noexcept;
  // Ends the thread's timer. Called by: the header's thread, while it owns the header.
  void end(shadowstack::ThreadHeader& header) noexcept;

  // Takes out the waiting samples.
  void drain() noexcept;
  // Drops the waiting samples, and begins the totals anew. Threads keep their timers.
  void restart() noexcept;
  // Takes out the waiting samples if the header has any. Call it before the data that resolves its
  // words is freed.
  void drain_for(const shadowstack::ThreadHeader& header) noexcept {
    std::atomic_ref<const std::uint64_t> waiting(header.samples);
    if (waiting.load(std::memory_order_acquire) != 0) drain();
  }

  struct Totals {
    std::uint64_t processor_ns = 0;   // used by threads with a timer, by their clocks
    std::uint64_t sampled_ns = 0;     // part of processor_ns that samples stand for
    std::uint64_t lost = 0;           // samples without room
    std::uint64_t lost_ns = 0;        // processor time that lost samples stand for
    std::uint64_t without_timer = 0;  // threads
  };
  // Totals since start() or restart().
  Totals totals() noexcept;

 private:
  static constexpr std::size_t kMostThreads = 1 << 16;

  static void on_signal(int signal, siginfo_t* info, void* interrupted) noexcept;
  Status take_signal();
  SampledThread* take_thread() noexcept;
  bool set_timer(SampledThread& thread) noexcept;
  void end_timer(SampledThread& thread) noexcept;
  void drain_locked() noexcept;
  std::uint64_t processor_ns() noexcept;

  int signal_ = 0;  // 0: none taken yet
  std::mutex mutex_;
  bool is_on_ = false;
  double share_ = 0;  // samples per signal; constant while it is on
  TakeSample take_;
  ReleaseReference release_;
  Totals totals_;
  std::mt19937 random_;
  shadowstack::ObjectRegion<SampledThread> threads_;
};

// Returns the clock of a thread or process; 0 when it is gone.
std::uint64_t clock_ns(clockid_t clock) noexcept;

}  // namespace copse::sampling
