// CPU time of the JVM's own threads by their duty, which tells the time of compilers and collectors from that of
// the program's threads in which nothing was recorded; and how long all other threads waited for a processor.
//
// The threads of this process are found in /proc/self/task. A thread's duty is known by the name that HotSpot gives it.
// Not thread-safe.
#pragma once

#include <sys/types.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <unordered_map>

namespace copse::jvm {

// Returns the index in kJvmDuties of the duty of a thread of that name, as in /proc/PID/task/TID/comm (15 characters);
// kNoDuty for any other.
std::size_t duty_of(std::string_view thread_name) noexcept;
inline constexpr std::array<std::string_view, 3> kJvmDuties = {"(JIT compilers)",
                                                               "(garbage collectors)", "(Copse)"};
// Indices in it.
inline constexpr std::size_t kJitCompilers = 0, kGarbageCollectors = 1, kOfCopse = 2;
inline constexpr std::size_t kNoDuty = kJvmDuties.size();

class JvmThreads {
 public:
  using Times = std::array<std::uint64_t, kJvmDuties.size()>;  // ns by duty
  // As the scheduler counts them: time on a processor, and time ready to run without one.
  struct Scheduled {
    std::uint64_t ran_ns = 0, waited_ns = 0;
  };

  // Leaves out what the threads used so far.
  void begin();
  // Reads the threads' clocks. The time that a thread uses between the last look and its end is not counted. Cost: a
  // directory of one entry per thread, and a file for each new thread and each without a duty. Throws std::bad_alloc.
  void look();
  Times times() const noexcept;
  // Returns the sums of threads without a duty; 0 where the system does not count (gVisor).
  Scheduled scheduled() const noexcept;

 private:
  struct Thread {
    std::size_t duty = kNoDuty;
    std::uint64_t began_ns = 0;
    std::uint64_t used_ns = 0;  // at least began_ns
    Scheduled scheduled_before{}, scheduled{};
    std::uint64_t seen_at = 0;  // number of the last look that found it
  };
  static void add(Scheduled& sum, const Thread& thread) noexcept;
  void end(const Thread& thread) noexcept;

  std::unordered_map<pid_t, Thread> threads_;  // that lived at the last look
  Times ended_{};                              // of threads that have ended
  Scheduled ended_scheduled_{};
  std::uint64_t looks_ = 0;
};

}  // namespace copse::jvm
