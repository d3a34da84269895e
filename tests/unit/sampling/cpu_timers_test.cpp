#include "shadowstack/sampling/cpu_timers.h"

#include <gtest/gtest.h>
#include <pthread.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <csignal>
#include <ctime>
#include <map>
#include <set>
#include <thread>
#include <vector>

namespace copse::sampling {
namespace {

using shadowstack::ThreadHeader;

constexpr std::uint64_t kMs = 1'000'000;

std::uint64_t tick_ns() {
  timespec tick{};
  EXPECT_EQ(::clock_getres(CLOCK_MONOTONIC_COARSE, &tick), 0);
  return static_cast<std::uint64_t>(tick.tv_nsec);
}

// Uses so much of the calling thread's own processor time. Seldom asks the clock, because the kernel
// may take the processor away where it is asked, just before a tick.
[[gnu::noinline]] void burn(std::uint64_t ns) {
  const std::uint64_t end = clock_ns(CLOCK_THREAD_CPUTIME_ID) + ns;
  volatile std::uint64_t work = 0;
  do {
    for (int i = 0; i < 1'000'000; ++i) work = work + 1;
  } while (clock_ns(CLOCK_THREAD_CPUTIME_ID) < end);
}

// Runs until one more sample waits to be counted for the header. By no share of processor time: where
// others want the processor, a thread that asks its own clock may lose it just before every tick, and
// be found by none for a long time. False: not within a minute.
[[nodiscard]] bool burn_until_sampled(ThreadHeader& header) {
  const auto waiting = [&] { return std::atomic_ref(header.samples).load(); };
  const std::uint64_t before = waiting();
  const std::uint64_t end = clock_ns(CLOCK_MONOTONIC) + 60'000 * kMs;
  volatile std::uint64_t work = 0;
  while (waiting() == before && clock_ns(CLOCK_MONOTONIC) < end) {
    for (int i = 0; i < 10'000; ++i) work = work + 1;
  }
  return waiting() != before;
}

// The same as burn(), by turns with taking out the samples.
void burn_and_drain(CpuTimers& timers, std::uint64_t ns) {
  constexpr std::uint64_t kTurn = 50 * kMs;
  for (std::uint64_t burned = 0; burned < ns; burned += kTurn) {
    burn(kTurn);
    timers.drain();
  }
}

// The calling thread's, until some of its samples found no room.
void burn_beyond_room(ThreadHeader& header) {
  const auto waiting = [&] { return std::atomic_ref(header.samples).load(); };
  for (int i = 0; i < 10'000 && waiting() < SampledThread::kRoom; ++i) burn(tick_ns());
  burn(200 * tick_ns());
}

// One for all tests, as there is one in a process.
class CpuTimersTest : public testing::Test {
 protected:
  void TearDown() override { timers().stop(); }

  static CpuTimers& timers() {
    static auto* const only = new CpuTimers();
    return *only;
  }
  // A sample at every tick, or as far apart as this.
  void start(std::uint64_t period_ns) {
    const Status started = timers().start(
        period_ns,
        [this](const Sample& sample, std::uint64_t ns) {
          ++samples_[{sample.header, sample.place.word}];
          codes_.push_back(sample.code);
          sampled_ns_ += ns;
        },
        [this](std::uint64_t reference) { released_.insert(reference); });
    EXPECT_TRUE(started.ok()) << started.message();
  }
  std::uint64_t samples_of(ThreadHeader& header, std::uint64_t word) {
    return samples_[{&header, word}];
  }

  std::map<std::pair<ThreadHeader*, std::uint64_t>, std::uint64_t> samples_;
  std::vector<std::uint64_t> codes_;
  std::uint64_t sampled_ns_ = 0;
  std::set<std::uint64_t> released_;
};

// A recording that begins late has none of what its probes saw before.
TEST_F(CpuTimersTest, DropWhatWaitsWhenTheyAreRestarted) {
  start(kMs);
  ThreadHeader header;
  header.word = 1;
  ASSERT_TRUE(timers().begin(header, {}));
  ASSERT_TRUE(burn_until_sampled(header));
  burn_beyond_room(header);
  header.word = 2;
  timers().restart();
  EXPECT_EQ(samples_of(header, 1), 0u);
  EXPECT_LT(timers().totals().processor_ns, 200 * tick_ns());
  ASSERT_TRUE(burn_until_sampled(header));
  timers().end(header);
  EXPECT_EQ(samples_of(header, 1), 0u);
  EXPECT_GT(samples_of(header, 2), 0u);
  EXPECT_EQ(timers().totals().lost, 0u) << "what found no room before";
  EXPECT_EQ(header.samples, 0u) << "none waits";
}

TEST_F(CpuTimersTest, FindEachWordAsOftenAsItsThreadUsedProcessorTime) {
  start(kMs);
  const std::uint64_t sample_ns = tick_ns();
  std::vector<std::thread> threads;
  std::vector<ThreadHeader> headers(3);
  for (ThreadHeader& header : headers) {
    threads.emplace_back([&header] {
      ASSERT_TRUE(timers().begin(header, {}));
      // By short turns, because a busy machine may become a quiet one between two long ones.
      for (int turn = 0; turn < 20; ++turn) {
        header.word = 1;
        burn(20 * kMs);
        header.word = 2;
        burn(10 * kMs);
        timers().drain();
      }
      timers().end(header);
    });
  }
  for (std::thread& thread : threads) thread.join();
  std::uint64_t once = 0, twice = 0;
  for (ThreadHeader& header : headers) {
    twice += samples_of(header, 1);
    once += samples_of(header, 2);
    EXPECT_EQ(header.samples, 0u) << "none waits";
    EXPECT_EQ(header.sampled, 0u);
  }
  const CpuTimers::Totals totals = timers().totals();
  EXPECT_GE(totals.processor_ns, 1'800 * kMs);
  EXPECT_EQ(totals.lost, 0u);
  EXPECT_EQ(totals.without_timer, 0u);
  // Some 450 samples. On a busy machine ticks find threads less often than their clocks say.
  const double seen = static_cast<double>((once + twice) * sample_ns);
  const auto used = static_cast<double>(totals.processor_ns);
  EXPECT_GT(seen, 0.02 * used);
  EXPECT_LT(seen, 1.3 * used);
  // Within four standard deviations.
  const double difference = static_cast<double>(twice) - 2 * static_cast<double>(once);
  EXPECT_LT(std::abs(difference), 4 * std::sqrt(static_cast<double>(twice + 4 * once)))
      << twice << " and " << once;
}

TEST_F(CpuTimersTest, DivideWhatTheClocksSayAmongTheSamples) {
  start(kMs);
  const std::uint64_t sample_ns = tick_ns();
  constexpr int kThreads = 3;
  std::vector<std::thread> threads;
  std::vector<ThreadHeader> headers(kThreads);
  for (ThreadHeader& header : headers) {
    threads.emplace_back([&header] {
      ASSERT_TRUE(timers().begin(header, {}));
      burn_and_drain(timers(), 200 * kMs);
      timers().end(header);
    });
  }
  for (std::thread& thread : threads) thread.join();
  ThreadHeader losing;
  ASSERT_TRUE(timers().begin(losing, {}));
  burn_beyond_room(losing);
  timers().end(losing);
  const CpuTimers::Totals totals = timers().totals();
  EXPECT_GT(totals.lost, 0u);
  EXPECT_GT(totals.lost_ns, 0u);
  EXPECT_EQ(totals.sampled_ns, sampled_ns_ + totals.lost_ns);
  EXPECT_LE(totals.sampled_ns, totals.processor_ns);
  // The time after the last samples of all threads.
  EXPECT_LT(totals.processor_ns - totals.sampled_ns, kThreads * 100 * sample_ns);
}

TEST_F(CpuTimersTest, TakeNoSampleOfAThreadThatSleeps) {
  start(kMs);
  ThreadHeader header;
  ASSERT_TRUE(timers().begin(header, {}));
  const timespec nap{0, 100'000'000};
  ASSERT_EQ(::nanosleep(&nap, nullptr), 0) << "and no signal wakes it";
  timers().end(header);
  EXPECT_LE(samples_of(header, 0), 1u);
}

#if defined(__x86_64__) || defined(__aarch64__)
TEST_F(CpuTimersTest, TellWhichCodeTheThreadRan) {
  start(kMs);
  ThreadHeader header;
  ASSERT_TRUE(timers().begin(header, {}));
  // On a busy machine ticks find a thread less often than it runs.
  for (int turn = 0; turn < 1'000 && codes_.size() < 50; ++turn) burn_and_drain(timers(), 50 * kMs);
  timers().end(header);
  const auto first = reinterpret_cast<std::uint64_t>(&burn);
  constexpr std::uint64_t kMostBytes = 1024;  // of a loop, also where it is not optimized
  const auto found = std::count_if(codes_.begin(), codes_.end(), [&](std::uint64_t code) {
    return code >= first && code < first + kMostBytes;
  });
  EXPECT_GE(codes_.size(), 50u);
  // The others are in the clock, and in what takes them out.
  EXPECT_GT(static_cast<double>(found), 0.7 * static_cast<double>(codes_.size()));
}
#endif

TEST_F(CpuTimersTest, CountWhatIsMountedInThePlaceOfItsCarrier) {
  start(kMs);
  ThreadHeader carrier, mounted;
  ASSERT_TRUE(timers().begin(carrier, {}));
  carrier.word = 1;
  mounted.word = 2;
  carrier.mounted = reinterpret_cast<std::uint64_t>(&mounted);
  ASSERT_TRUE(burn_until_sampled(mounted));
  carrier.mounted = 0;
  timers().drain_for(mounted);
  EXPECT_GT(samples_of(mounted, 2), 0u);
  EXPECT_EQ(mounted.samples, 0u);
  ASSERT_TRUE(burn_until_sampled(carrier));
  timers().end(carrier);
  EXPECT_GT(samples_of(carrier, 1), 0u);
  EXPECT_EQ(samples_of(mounted, 1) + samples_of(carrier, 2), 0u);
}

struct ObjectWithWord {
  std::uint64_t header, word;
};

TEST_F(CpuTimersTest, FindTheWordOfWhatIsMountedInItsOwnObject) {
  ASSERT_TRUE(can_read_any_memory());
  start(kMs);
  ObjectWithWord carriers{0, 1}, mounteds{0, 2};
  const ObjectWithWord* const carriers_place = &carriers;
  const ObjectWithWord* const mounteds_place = &mounteds;
  ThreadHeader carrier, mounted, without_object;
  ASSERT_TRUE(
      timers().begin(carrier, {.reference = reinterpret_cast<std::uint64_t>(&carriers_place),
                               .offset = offsetof(ObjectWithWord, word),
                               .of_virtual_threads = true}));
  mounted.self = reinterpret_cast<std::uint64_t>(&mounteds_place);
  carrier.mounted = reinterpret_cast<std::uint64_t>(&mounted);
  ASSERT_TRUE(burn_until_sampled(mounted));
  without_object.word = 3;
  carrier.mounted = reinterpret_cast<std::uint64_t>(&without_object);
  ASSERT_TRUE(burn_until_sampled(without_object));
  carrier.mounted = 0;
  ASSERT_TRUE(burn_until_sampled(carrier));
  timers().end(carrier);
  EXPECT_GT(samples_of(carrier, 1), 0u);
  EXPECT_GT(samples_of(mounted, 2), 0u);
  EXPECT_GT(samples_of(without_object, 3), 0u);
  EXPECT_EQ(samples_.size(), 3u);
}

TEST_F(CpuTimersTest, FindAWordInAnObjectThatMovesAndSurviveOneThatIsGone) {
  ASSERT_TRUE(can_read_any_memory());
  start(kMs);
  using Object = ObjectWithWord;
  Object here{0, 11}, there{0, 12};
  const Object* volatile place = &here;
  constexpr std::uint64_t kTag = 2;  // as a JVM's references have them
  const std::uint64_t reference = reinterpret_cast<std::uint64_t>(&place) | kTag;
  ThreadHeader header;
  ASSERT_TRUE(timers().begin(header, {.reference = reference, .offset = offsetof(Object, word)}));
  ASSERT_TRUE(burn_until_sampled(header));
  place = &there;
  ASSERT_TRUE(burn_until_sampled(header));
  place = reinterpret_cast<const Object*>(std::uintptr_t{4096});
  ASSERT_TRUE(burn_until_sampled(header));
  timers().end(header);
  EXPECT_GT(samples_of(header, 11), 0u);
  EXPECT_GT(samples_of(header, 12), 0u);
  EXPECT_GT(samples_of(header, 0), 0u) << "nothing to be read: the word of no thread";
  EXPECT_EQ(released_, std::set<std::uint64_t>{reference});
}

TEST_F(CpuTimersTest, LoseSamplesOfObjectsThatMoveWhereNoWordTellsIt) {
  ASSERT_TRUE(can_read_any_memory());
  start(kMs);
  ObjectWithWord object{0, 11};
  const ObjectWithWord* const place = &object;
  ThreadHeader header;
  ASSERT_TRUE(timers().begin(header, {.reference = reinterpret_cast<std::uint64_t>(&place),
                                      .offset = offsetof(ObjectWithWord, word),
                                      .must_stand_still = true}));
  objects_begin_to_move();
  for (int i = 0; i < 1'000 && timers().totals().lost == 0; ++i) {
    burn(10 * tick_ns());
    timers().drain();
  }
  EXPECT_EQ(samples_of(header, 11), 0u);
  EXPECT_GT(timers().totals().lost, 0u);
  objects_stand_still();
  ASSERT_TRUE(burn_until_sampled(header));
  timers().end(header);
  EXPECT_GT(samples_of(header, 11), 0u);
}

TEST_F(CpuTimersTest, LoseAndCountWhatFindsNoRoom) {
  start(kMs);
  ThreadHeader header;
  ASSERT_TRUE(timers().begin(header, {}));
  // On a busy machine ticks find a thread less often than it runs.
  burn_beyond_room(header);
  timers().end(header);
  EXPECT_EQ(samples_of(header, 0), SampledThread::kRoom);
  EXPECT_GT(timers().totals().lost, 0u);
}

TEST_F(CpuTimersTest, EndForAllThreadsAtOnce) {
  start(kMs);
  ThreadHeader header;
  std::atomic<bool> began{false}, stopped{false};
  std::thread thread([&] {
    ASSERT_TRUE(timers().begin(header, {.reference = 8, .offset = 0}));
    began = true;
    while (!stopped) {
    }
    timers().end(header);
  });
  while (!began) {
  }
  timers().stop();
  const auto so_far = samples_;
  EXPECT_EQ(released_, std::set<std::uint64_t>{8});
  stopped = true;
  thread.join();
  EXPECT_EQ(samples_, so_far);
  ThreadHeader late;
  EXPECT_FALSE(timers().begin(late, {})) << "its samples would not be taken";
}

TEST_F(CpuTimersTest, GiveAShortThreadItsPartOfTheSum) {
  start(10 * kMs);
  const std::uint64_t sample_ns = std::max(10 * kMs, tick_ns());
  ThreadHeader header;
  constexpr int kThreads = 1500;
  for (int i = 0; i < kThreads; ++i) {
    std::thread([&header] {
      ASSERT_TRUE(timers().begin(header, {}));
      burn(kMs);
      timers().end(header);
    }).join();
  }
  // On a busy machine ticks find threads less often than they run; where a sample took a whole period, they would find none.
  const auto used = static_cast<double>(timers().totals().processor_ns);
  const auto found = static_cast<double>(samples_of(header, 0) * sample_ns);
  EXPECT_GT(found, 0.02 * used);
  EXPECT_LT(found, 1.5 * used);
}

std::atomic<int> g_theirs{0};

TEST_F(CpuTimersTest, LeaveSignalsOfOthersToThem) {
  struct sigaction theirs {};
  theirs.sa_handler = [](int) { ++g_theirs; };
  ASSERT_EQ(::sigaction(SIGRTMAX - 1, &theirs, nullptr), 0);
  start(kMs);
  ::raise(SIGRTMAX - 1);
  EXPECT_EQ(g_theirs, 1);
  // Nor does one that somebody else sends take a sample, or end the process.
  ThreadHeader header;
  ASSERT_TRUE(timers().begin(header, {}));
  struct sigaction ours {};
  ASSERT_EQ(::sigaction(SIGRTMAX, nullptr, &ours), 0);
  ASSERT_NE(ours.sa_handler, SIG_DFL);
  ::raise(SIGRTMAX);
  sigval value{};
  value.sival_ptr = &header;
  ::sigqueue(::getpid(), SIGRTMAX, value);
  timers().end(header);
  EXPECT_LE(samples_of(header, 0), 1u);
}

}  // namespace
}  // namespace copse::sampling
