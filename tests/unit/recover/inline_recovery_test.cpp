#include "recover/recovered_tree.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <functional>
#include <random>
#include <thread>

#include "cct/inplace/inline_trees.h"
#include "cct/tree_check.h"
#include "support/call_streams.h"
#include "support/excerpt_player.h"
#include "support/expect_fault.h"
#include "support/inline_probe.h"
#include "support/killed_run.h"
#include "support/merged_tree.h"
#include "support/passed_on_memory.h"
#include "support/plenty.h"
#include "support/reference_tree.h"
#include "support/stepped_process.h"

namespace copse::recover {
namespace {

using test::call;
using test::CallStream;
using test::eight_sites;
using test::InlineProbe;
using test::kPlenty;
using test::ReferenceTree;
using test::tree_text;

constexpr std::uint64_t kStepsBetweenLooks = 1009;

class InlineRecovery : public test::KilledRun {
 protected:
  pid_t start(const std::function<void(cct::InlineTrees&)>& body,
              std::uint64_t most_bytes = kPlenty, const cct::RecursionOptions& recursion = {}) {
    return KilledRun::start([&](SharedMemory& memory) {
      cct::InlineTrees trees(most_bytes, eight_sites, memory, recursion);
      body(trees);
      raise(SIGKILL);  // before the trees come to an end of their own
    });
  }
  RecoveredTree recovered() { return KilledRun::recovered(path_, recover_inline_trees); }
};

TEST_F(InlineRecovery, FindsEveryCallOfThreadsThatEndedAndOfThoseThatDidNot) {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937_64 random(seed);
    const CallStream ended = test::random_stream(random, {.calls = 20000});
    const CallStream live =
        test::random_stream(random, {.calls = 30000, .methods = 900, .deepest = 4});
    expect_killed(start([&](cct::InlineTrees& trees) {
      shadowstack::ThreadHeader* first = trees.attach(11, "ended");
      InlineProbe(trees, first).run(ended);
      trees.detach(first);
      InlineProbe(trees, trees.attach(12, "live")).run(live);
    }));
    const RecoveredTree run = recovered();
    ReferenceTree truth;
    truth.add(ended);
    truth.add(live);
    ASSERT_NE(run.tree, nullptr);
    EXPECT_EQ(tree_text(*run.tree), truth.text());
    EXPECT_EQ(run.calls_seen, ended.size() + live.size());
    EXPECT_EQ(run.calls_lost, 0u);
    ASSERT_EQ(run.threads.size(), 2u);
    EXPECT_EQ(run.threads[0].runtime_id, 11);
    EXPECT_EQ(run.threads[0].name, "ended");
    EXPECT_EQ(run.threads[0].calls, ended.size());
    EXPECT_EQ(run.threads[1].calls, live.size());
    EXPECT_EQ(run.threads[1].first_key, context_key(kNoSite, method_of(live.front())));
  }
}

TEST_F(InlineRecovery, LeavesOutTheCallsBeforeTheRecordingBegan) {
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937_64 random(seed);
    const CallStream stream = test::random_stream(random, {.calls = 5000});
    const std::uint64_t begins_at = random() % stream.size();
    const bool begins = seed % 4 != 0;
    expect_killed(start([&](cct::InlineTrees& trees) {
      trees.wait_to_begin();
      InlineProbe(trees, trees.attach(1, "before")).run(stream);
      InlineProbe probe(trees, trees.attach(2, "during"));
      std::uint64_t made = 0;
      probe.run(stream, test::Leaving::kByReturns, [&] {
        if (begins && ++made == begins_at && !trees.begin().ok()) _exit(3);
      });
    }));
    const RecoveredTree run = recovered();
    ReferenceTree truth;
    if (begins) truth.add(stream, {.begins_at = begins_at});
    ASSERT_NE(run.tree, nullptr);
    EXPECT_EQ(tree_text(*run.tree), truth.text(false));
    EXPECT_EQ(run.calls_seen, begins ? stream.size() - begins_at : 0);
    EXPECT_EQ(run.calls_lost, 0u);
    ASSERT_EQ(run.threads.size(), begins ? 1u : 0u);
    if (begins) {
      EXPECT_EQ(run.threads[0].calls, stream.size() - begins_at);
    }
  }
}

TEST_F(InlineRecovery, MergesTheRecursionThatTheRunMerged) {
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937_64 random(seed);
    const test::StreamShape shape{.calls = 20000, .methods = 12, .deepest = 40};
    const std::vector<CallStream> streams = {test::random_stream(random, shape),
                                             test::random_stream(random, shape)};
    const cct::RecursionOptions recursion{
        .recursion = seed % 2 == 0 ? cct::Recursion::kAuto : cct::Recursion::kMerge,
        .look_at = 4000};
    expect_killed(start(
        [&](cct::InlineTrees& trees) {
          shadowstack::ThreadHeader* ended = trees.attach(1, "ended");
          InlineProbe(trees, ended).run(streams[0]);
          trees.detach(ended);
          InlineProbe(trees, trees.attach(2, "live")).run(streams[1]);
        },
        kPlenty, recursion));
    const RecoveredTree run = recovered();
    ASSERT_NE(run.tree, nullptr);
    EXPECT_EQ(run.tree->merged().all, seed % 2 != 0);
    EXPECT_EQ(run.tree->merged().methods.empty(), seed % 2 != 0);
    const std::vector<std::uint32_t> depths = run.tree->merged().depth_at_least;
    EXPECT_EQ(depths.size(), run.tree->merged().methods.size());
    for (const std::uint32_t depth : depths) EXPECT_TRUE(1 <= depth && depth <= 41) << depth;
    test::expect_merge_of(streams, *run.tree);
    EXPECT_EQ(run.calls_seen, streams[0].size() + streams[1].size());
    EXPECT_EQ(run.calls_lost, 0u);
  }
}

// Each thread says before and after a call that it makes it, in memory that outlives it too.
class InlineRecoveryInTheMiddle : public InlineRecovery,
                                  public testing::WithParamInterface<std::uint64_t> {};

TEST_P(InlineRecoveryInTheMiddle, FindsEveryCallWhateverThreadsWereDoingWhenTheProcessWasKilled) {
  std::uint64_t evicted = 0;
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937_64 random(seed);
    const std::uint64_t enough = 1 + random() % 60000;
    const auto progress = test::CallProgress<3>::shared();
    const pid_t child = start(
        [&](cct::InlineTrees& trees) {
          const auto live = [&](std::size_t which) {
            std::mt19937_64 own(seed * 100 + which);
            for (std::int64_t id = 1;; ++id) {
              shadowstack::ThreadHeader* header = trees.attach(id, "");
              InlineProbe probe(trees, header);
              for (int i = 0; i < 40; ++i) {
                std::vector<std::uint64_t> frames;
                for (std::uint64_t depth = own() % 12; frames.size() <= depth;) {
                  if (!frames.empty())
                    probe.call(frames.back(), SiteOrdinal{static_cast<std::uint16_t>(own() % 9)});
                  progress->begun[which].fetch_add(1);
                  frames.push_back(
                      probe.enter(MethodId{static_cast<std::uint32_t>(1 + own() % 50)}));
                  progress->done[which].fetch_add(1);
                }
                for (; !frames.empty(); frames.pop_back()) probe.exit(frames.back());
              }
              trees.detach(header);
            }
          };
          std::thread second(live, 1), third(live, 2);
          live(0);
        },
        GetParam());
    kill_after(enough, *progress, child);
    const RecoveredTree run = recovered();
    ASSERT_NE(run.tree, nullptr);
    EXPECT_GE(run.calls_seen, progress->sum(progress->done));
    EXPECT_LE(run.calls_seen, progress->sum(progress->begun));
    // While the master evicts contexts they cannot be told, but the sum of their calls can.
    EXPECT_EQ(run.calls_lost, run.calls_of_unknown_callers);
    EXPECT_EQ(cct::total_calls(*run.tree) + run.calls_lost, run.calls_seen);
    std::uint64_t of_threads = 0;
    for (const auto& row : run.threads) of_threads += row.calls;
    EXPECT_EQ(of_threads, run.calls_seen);
    evicted += run.tree->evicted().calls;
  }
  EXPECT_EQ(evicted != 0, GetParam() != kPlenty);
}

// The smaller ones make trees shrink and the master evict without rest.
INSTANTIATE_TEST_SUITE_P(Bounds, InlineRecoveryInTheMiddle,
                         testing::Values(kPlenty, 1 << 20, 128 << 10));

// The end of a thread or of an excerpt, looked at while its counts are moved: at every instruction
// between a note and its end, and at others spread over the rest.
class InlineRecoveryOfAMove : public InlineRecovery, public testing::WithParamInterface<bool> {};
INSTANTIATE_TEST_SUITE_P(ThreadAndExcerpt, InlineRecoveryOfAMove, testing::Bool());

TEST_P(InlineRecoveryOfAMove, FindsEveryCallWhateverInstructionWasTheLast) {
  std::mt19937_64 random(8);
  const CallStream stream = test::random_stream(random, {.calls = 16, .methods = 5, .deepest = 6});
  ReferenceTree truth;
  truth.add(stream);
  truth.add(stream);
  const pid_t child = start([&](cct::InlineTrees& trees) {
    shadowstack::ThreadHeader* first = trees.attach(1, "first");
    InlineProbe(trees, first).run(stream);
    trees.detach(first);
    shadowstack::ThreadHeader* second = trees.attach(2, "second");
    const bool in_excerpt = GetParam();
    const std::uint64_t word = second->word;
    if (in_excerpt) {
      second->word =
          cct::InlineTrees::begin_excerpt(second, word, cct::InlineTrees::Whose::kOwnCalls);
    }
    const std::uint64_t slot = second->word;
    InlineProbe(trees, second).run(stream);
    second->word = word;
    test::begin_to_be_stepped();
    if (in_excerpt) {
      static_cast<void>(cct::InlineTrees::end_excerpt(second, slot));
    } else {
      trees.detach(second);
    }
    test::end_of_steps();
  });
  COPSE_NEED_STEPS(child)
  constexpr off_t kRun = 2 << 20;  // the first thing in the first reservation
  const int file = open(path_.c_str(), O_RDONLY | O_CLOEXEC);
  const void* mapped = mmap(nullptr, 4096, PROT_READ, MAP_SHARED, file, kRun);
  ASSERT_NE(mapped, MAP_FAILED);
  const volatile std::uint64_t& moving = static_cast<const cct::InlineRun*>(mapped)->move.moving;
  const std::string killed = path_;
  const std::string seen = path_ + "-seen";
  int in_the_middle = 0;
  std::uint64_t before = 0;
  std::uint64_t steps = 0;
  for (; test::step(child); ++steps) {
    const bool looks = moving != 0 || before != 0 || steps % kStepsBetweenLooks == 0;
    before = moving;
    if (!looks) continue;
    SCOPED_TRACE("after " + std::to_string(steps) + " instructions");
    in_the_middle += moving != 0 ? 1 : 0;
    ASSERT_TRUE(test::copy_with_holes(killed, seen));
    path_ = seen;
    const RecoveredTree run = recovered();
    path_ = killed;
    ASSERT_NE(run.tree, nullptr);
    ASSERT_EQ(tree_text(*run.tree), truth.text());
    ASSERT_EQ(run.threads.size(), 2u);
    ASSERT_EQ(run.threads[0].calls, stream.size());
    ASSERT_EQ(run.threads[1].calls, stream.size());
  }
  test::end(child);
  close(file);
  EXPECT_GT(steps, 1000u);
  EXPECT_GT(in_the_middle, 10) << "between a note and its end";
}

// The newest nodes are gone by then, and their callers are not.
TEST_F(InlineRecovery, FindsEveryCallWhenTheProcessIsKilledWhileALargeTreeIsAdded) {
  std::mt19937_64 random(4);
  const test::StreamShape shape{.calls = 60'000, .methods = 2000, .deepest = 9};
  const CallStream stream = test::random_stream(random, shape);
  ReferenceTree truth;
  truth.add(stream);
  for (const int last : {1, 4, 8}) {
    SCOPED_TRACE("after giving memory back " + std::to_string(last) + " times");
    expect_killed(KilledRun::start([&](SharedMemory& memory) {
      int given_back = 0;
      test::PassedOnMemory passed_on(memory, [&] {
        if (++given_back == last) raise(SIGKILL);
      });
      cct::InlineTrees trees(kPlenty, eight_sites, passed_on);
      InlineProbe(trees, trees.attach(1, "live")).run(stream);
      trees.close();
      _exit(3);
    }));
    const RecoveredTree run = recovered();
    ASSERT_NE(run.tree, nullptr);
    EXPECT_EQ(tree_text(*run.tree), truth.text());
    EXPECT_EQ(run.calls_seen, stream.size());
    EXPECT_EQ(run.calls_lost, 0u);
  }
}

TEST_F(InlineRecovery, FindsTheCallsOfOpenExcerptsWhereTheyWereMade) {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    CallStream calls;
    const auto play = [](test::ExcerptPlayer& player, auto then) {
      const test::ExcerptPlayer::Told ignore = [](const auto&, const CallStream&) {};
      player.in_excerpt(0, ignore, [&] {
        player.make_call(0, SiteOrdinal{0}, ignore, [&](std::uint32_t depth, SiteOrdinal site) {
          player.in_excerpt(depth, ignore, [&] {
            player.make_call(depth, site, ignore);
            then();
          });
        });
      });
    };
    const test::ExcerptShape shape{.calls = 3000};
    {
      cct::InlineTrees trees(kPlenty, eight_sites);
      test::ExcerptPlayer player(trees, trees.attach(1, "tests"), seed, shape);
      play(player, [&] { calls = player.stream(); });
    }
    expect_killed(start([&](cct::InlineTrees& trees) {
      test::ExcerptPlayer player(trees, trees.attach(1, "tests"), seed, shape);
      play(player, [] { raise(SIGKILL); });
    }));
    const RecoveredTree run = recovered();
    ReferenceTree truth;
    truth.add(calls);
    ASSERT_NE(run.tree, nullptr);
    EXPECT_EQ(tree_text(*run.tree), truth.text());
    EXPECT_EQ(run.calls_seen, calls.size());
    EXPECT_EQ(run.threads[0].first_key, key_of(calls.front()));
    EXPECT_EQ(run.threads[0].calls, calls.size());
  }
}

TEST_F(InlineRecovery, ReadsNothingBeyondWhatIsThereFromDamagedMemory) {
  std::mt19937_64 random(5);
  const CallStream stream = test::random_stream(random, {.calls = 3000});
  expect_killed(start([&](cct::InlineTrees& trees) {
    shadowstack::ThreadHeader* first = trees.attach(1, "ended");
    InlineProbe(trees, first).run(stream);
    trees.detach(first);
    InlineProbe(trees, trees.attach(2, "live")).run(stream);
  }));
  // Where anything is: the first page and the first 64 KiB of each reservation.
  constexpr std::uint64_t kRun = 2 << 20;  // the first thing in the first reservation
  int round = 0;
  const auto position = [&](const SharedMemory::Header&) -> std::uint64_t {
    switch (round++ % 4) {
      case 0:
        return random() % 400;
      case 1:
        return kRun + random() % sizeof(cct::InlineRun);
      default:
        return (1 + random() % 8) * kRun + random() % 65536 + (random() % 2) * 266240;
    }
  };
  expect_damage_is_harmless(random, 400, position, recover_inline_trees);
}

TEST_F(InlineRecovery, FindsWhatHadRoomInAFileSystemThatWasFull) {
  std::mt19937_64 random(6);
  const CallStream ended = test::random_stream(random, {.calls = 60'000, .methods = 900});
  const CallStream live = test::random_stream(random, {.calls = 30'000, .methods = 900});
  expect_killed(start([&](cct::InlineTrees& trees) {
    shadowstack::ThreadHeader* first = trees.attach(1, "ended");
    InlineProbe(trees, first).run(ended);
    trees.detach(first);
    for (std::int64_t i = 2; i < 14; ++i) InlineProbe(trees, trees.attach(i, "live")).run(live);
  }));
  const RecoveredTree whole = recovered();
  ASSERT_NE(whole.tree, nullptr);
  expect_what_is_there_of(*whole.tree, random, 8, recover_inline_trees);
}

TEST_F(InlineRecovery, RefusesTheMemoryOfAProcessThatStillRuns) {
  const auto memory = SharedMemory::create(path_);
  ASSERT_TRUE(memory.ok()) << memory.message();
  EXPECT_FAULT(SharedMemoryFile::open(path_), kRefused, path_);
}

TEST_F(InlineRecovery, RefusesOtherFiles) {
  const std::string other = folder_ + "/other";
  const int file = open(other.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
  ASSERT_EQ(write(file, "{}", 2), 2);
  close(file);
  EXPECT_FAULT(SharedMemoryFile::open(other), kMalformed, other);
}

}  // namespace
}  // namespace copse::recover
