#include "agent/jvm/measures/jvm_threads.h"

#include <gtest/gtest.h>
#include <pthread.h>
#include <sched.h>

#include <atomic>
#include <ctime>
#include <fstream>
#include <string>
#include <thread>

#include "shadowstack/sampling/cpu_timers.h"

namespace copse::jvm {
namespace {

constexpr std::size_t kDutyOfCopse = 2;
constexpr std::uint64_t kWork = 5'000'000;  // ns of CPU time

// A thread of that name which uses kWork, and then waits until it is told to end.
class Worker {
 public:
  explicit Worker(const char* name)
      : thread_([this, name] {
          pthread_setname_np(pthread_self(), name);
          while (sampling::clock_ns(CLOCK_THREAD_CPUTIME_ID) < kWork) continue;
          has_worked_ = true;
          has_worked_.notify_all();
          may_end_.wait(false);
        }) {
    has_worked_.wait(false);
  }
  ~Worker() { end(); }
  void end() {
    may_end_ = true;
    may_end_.notify_all();
    if (thread_.joinable()) thread_.join();
  }

 private:
  std::atomic<bool> has_worked_{false}, may_end_{false};
  std::thread thread_;  // last: uses the others
};

TEST(JvmThreads, AreKnownByTheNamesThatHotSpotAndCopseGiveThem) {
  EXPECT_EQ(kJvmDuties[duty_of("C2 CompilerThre\n")], "(JIT compilers)");
  EXPECT_EQ(kJvmDuties[duty_of("G1 Conc#0\n")], "(garbage collectors)");
  EXPECT_EQ(kJvmDuties[duty_of("copse-samples\n")], "(Copse)");
  for (const char* other : {"VM Thread", "main", "pool-1-thread-1", ""}) {
    EXPECT_EQ(duty_of(other), kNoDuty) << other;
  }
}

TEST(JvmThreads, KeepTheTimeOfThoseThatHaveEnded) {
  JvmThreads threads;
  for (std::uint64_t round = 1; round <= 3; ++round) {
    Worker worker("copse-test");
    threads.look();
    const std::uint64_t alive = threads.times()[kDutyOfCopse];
    EXPECT_GE(alive, round * kWork);
    worker.end();
    threads.look();
    EXPECT_GE(threads.times()[kDutyOfCopse], alive);
    EXPECT_LT(threads.times()[kDutyOfCopse], alive + kWork) << "to end takes next to nothing";
  }
}

TEST(JvmThreads, LeaveOutTimeBeforeTheBeginning) {
  JvmThreads threads;
  Worker early("copse-early");
  threads.begin();
  EXPECT_EQ(threads.times()[kDutyOfCopse], 0U);
  Worker late("copse-late");
  early.end();
  threads.look();
  EXPECT_GE(threads.times()[kDutyOfCopse], kWork);
  EXPECT_LT(threads.times()[kDutyOfCopse], 10 * kWork);
}

// Two threads on one processor: each waits as long as the other runs.
TEST(JvmThreads, TellHowLongThreadsOfTheProgramWaitedForAProcessor) {
  JvmThreads threads;
  cpu_set_t before;
  ASSERT_EQ(sched_getaffinity(0, sizeof(before), &before), 0);
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(static_cast<std::size_t>(sched_getcpu()), &one);
  ASSERT_EQ(sched_setaffinity(0, sizeof(one), &one), 0);
  threads.begin();
  if (!std::ifstream("/proc/self/schedstat")) GTEST_SKIP() << "the system does not count it";
  EXPECT_EQ(threads.scheduled().ran_ns, 0U);
  std::atomic<int> ready{0};
  std::atomic<bool> may_end{false};
  const auto work = [&] {
    ++ready;
    while (ready < 2) std::this_thread::yield();
    while (sampling::clock_ns(CLOCK_THREAD_CPUTIME_ID) < 10 * kWork) continue;
    may_end.wait(false);
  };
  std::thread first(work), second(work);
  while (threads.scheduled().ran_ns < 19 * kWork) threads.look();
  const JvmThreads::Scheduled scheduled = threads.scheduled();
  EXPECT_GE(scheduled.waited_ns, 5 * kWork);
  may_end = true;
  may_end.notify_all();
  first.join();
  second.join();
  threads.look();
  EXPECT_GE(threads.scheduled().ran_ns, scheduled.ran_ns) << "of those that have ended, too";
  ASSERT_EQ(sched_setaffinity(0, sizeof(before), &before), 0);
}

TEST(JvmThreads, AreNotThreadsOfTheProgram) {
  JvmThreads threads;
  const Worker program("pool-1-thread-1");
  threads.look();
  EXPECT_EQ(threads.times(), JvmThreads::Times{});
}

}  // namespace
}  // namespace copse::jvm
