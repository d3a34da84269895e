// Apart from the other tests of this folder: processes that fork must not have had workers.
#include "recover/recovered_tree.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstdlib>
#include <functional>
#include <random>
#include <string>
#include <thread>

#include "cct/kept_tree.h"
#include "shadowstack/packets/packet_run.h"
#include "support/call_streams.h"
#include "support/expect_fault.h"
#include "support/killed_run.h"
#include "support/reference_tree.h"
#include "support/stepped_process.h"

namespace copse::recover {
namespace {

using test::CallStream;
using test::ReferenceTree;
using test::tree_text;

// Kills of each shape.
#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
constexpr std::uint64_t kKills = 4;
#else
constexpr std::uint64_t kKills = 12;
#endif
// Between two looks; 1: at every one, which takes a minute or two.
std::uint64_t instructions_between_looks() {
  const char* wanted = std::getenv("COPSE_INSTRUCTIONS_BETWEEN_LOOKS");
  return wanted == nullptr ? 31 : std::strtoull(wanted, nullptr, 10);
}

// How a run folds, and how large its packets are.
struct Shape {
  std::string name;
  cct::EngineOptions engine;
  std::uint32_t slots = 64;
  std::uint64_t queue_bytes = 4096;

  friend std::ostream& operator<<(std::ostream& out, const Shape& shape) {
    return out << shape.name;
  }
};

const Shape kTree{"Tree", {.workers = 2, .delta_nodes = 60}};
const Shape kTinyPackets{"TinyPackets", {.workers = 2, .delta_nodes = 60}, 8, 1};
const Shape kWithoutSites{"WithoutSites", {.workers = 2, .sites = false}};
const Shape kRecursion{"MergedRecursion",
                       {.workers = 2, .recursion = {.recursion = cct::Recursion::kMerge}}};
const Shape kBounded{"Bounded", {.workers = 2, .delta_nodes = 60, .most_nodes = 150}};
const Shape kUptree{"Uptree",
                    {.kind = cct::EngineOptions::Kind::kUptree, .workers = 2, .delta_nodes = 20}};
const Shape kEvents{
    "EveryThirdCall",
    {.kind = cct::EngineOptions::Kind::kUptree, .workers = 2, .event_every = 3, .delta_nodes = 20}};

class PacketRecovery : public test::KilledRun {
 protected:
  struct Run {
    Run(const Shape& shape, shadowstack::MemorySource& memory)
        : pool({.slots = shape.slots, .queue_bytes = shape.queue_bytes, .memory = &memory}),
          engine(cct::Engine::make(shape.engine, pool)),
          recorder(pool, *engine) {}
    shadowstack::PacketPool pool;
    std::unique_ptr<cct::Engine> engine;
    shadowstack::Recorder recorder;
  };

  pid_t start(const Shape& shape, const std::function<void(Run&)>& body) {
    return KilledRun::start([&](SharedMemory& memory) {
      Run run(shape, memory);
      body(run);
      raise(SIGKILL);  // before the run comes to an end of its own
    });
  }
  static auto recover_as(const Shape& shape) {
    return [&](const SharedMemoryFile& file) { return recover_packets(file, shape.engine); };
  }
  static RecoveredTree recovered(const Shape& shape, const std::string& path) {
    return KilledRun::recovered(path, recover_as(shape));
  }
};

// Adds the first `calls` calls of a stream as they are in the tree of a shape.
void add_prefix(ReferenceTree& truth, const Shape& shape, const CallStream& stream,
                std::uint64_t calls) {
  truth.add(std::span(stream).first(calls),
            {.sites = shape.engine.sites,
             .merge_recursion = shape.engine.recursion.recursion == cct::Recursion::kMerge,
             .event_every = shape.engine.event_every});
}

TEST_F(PacketRecovery, LeavesOutTheCallsBeforeTheRecordingBegan) {
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937_64 random(seed);
    const CallStream stream = test::random_stream(random, {.calls = 3001});
    const std::uint64_t begins_at = random() % stream.size();
    const bool begins = seed % 4 != 0;
    const Shape& shape = seed % 2 == 0 ? kTree : kUptree;
    expect_killed(start(shape, [&](Run& run) {
      run.recorder.wait_to_begin();
      test::play(run.recorder, 1, stream, run.pool.packet_bytes());
      shadowstack::ThreadHeader* header = run.recorder.attach(2, "during");
      for (std::uint64_t i = 0; i < stream.size(); ++i) {
        if (begins && i == begins_at) run.recorder.begin();
        test::append(run.recorder, header, stream[i], run.pool.packet_bytes());
      }
    }));
    const RecoveredTree run = recovered(shape, path_);
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

class PacketRecoveryOf : public PacketRecovery, public testing::WithParamInterface<Shape> {};

TEST_P(PacketRecoveryOf, FindsWhatIsInTreesInPacketsAndStillWithThreads) {
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937_64 random(seed);
    const CallStream ended = test::random_stream(random, {.calls = 2000});
    const CallStream live = test::random_stream(random, {.calls = 3001, .gap_chance = 0.01});
    const CallStream deep = test::recursive_stream(random, 3000, 3);
    expect_killed(start(GetParam(), [&](Run& run) {
      test::play(run.recorder, 11, ended, run.pool.packet_bytes());
      shadowstack::ThreadHeader* header = run.recorder.attach(12, "live");
      for (const CallRecord record : live) {
        test::append(run.recorder, header, record, run.pool.packet_bytes());
      }
      if (seed % 2 == 0) run.recorder.flush();
      header = run.recorder.attach(13, "deep");
      for (const CallRecord record : deep) {
        test::append(run.recorder, header, record, run.pool.packet_bytes());
      }
    }));
    const RecoveredTree run = recovered(GetParam(), path_);
    ReferenceTree truth;
    for (const CallStream* stream : {&ended, &live, &deep}) {
      add_prefix(truth, GetParam(), *stream, stream->size());
    }
    ASSERT_NE(run.tree, nullptr);
    EXPECT_EQ(run.calls_lost, 0u);
    EXPECT_EQ(cct::total_calls(*run.tree), run.calls_seen);
    if (GetParam().name != kBounded.name) {
      EXPECT_EQ(tree_text(*run.tree), truth.text(false));
    }
    ASSERT_EQ(run.threads.size(), 3u);
    EXPECT_EQ(run.threads[0].runtime_id, 11);
    EXPECT_EQ(run.threads[0].name, "player");
    EXPECT_EQ(run.threads[0].calls, ended.size());
    EXPECT_EQ(run.threads[1].calls, live.size());
    EXPECT_EQ(run.threads[1].first_key, key_of(live.front()));
    EXPECT_EQ(run.threads[2].calls, deep.size());
  }
}

// Each thread says before and after a call that it makes it, in memory that outlives it too; a
// fourth takes snapshots. Threads come and go, so what each had called when the process was killed
// is in its row.
TEST_P(PacketRecoveryOf, FindsEveryCallWhateverThreadsWereDoingWhenTheProcessWasKilled) {
  constexpr std::size_t kThreads = 3;
  const Shape& shape = GetParam();
  const bool counts_calls = shape.engine.event_every == 0;
  std::mt19937_64 random(99);
  std::vector<CallStream> lives;
  for (std::size_t i = 0; i < kThreads; ++i) {
    lives.push_back(test::random_stream(random, {.calls = 700, .methods = 12, .deepest = 20}));
  }
  for (std::uint64_t seed = 1; seed <= kKills; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const std::uint64_t enough = 1 + random() % 30'000;
    const auto progress = test::CallProgress<kThreads>::shared();
    const pid_t child = start(shape, [&](Run& run) {
      const auto live = [&](std::size_t which) {
        for (int life = 0;; ++life) {
          shadowstack::ThreadHeader* header =
              run.recorder.attach(static_cast<std::int64_t>(which), "named");
          for (const CallRecord record : lives[which]) {
            progress->begun[which].fetch_add(1);
            test::append(run.recorder, header, record, run.pool.packet_bytes());
            progress->done[which].fetch_add(1);
          }
          run.recorder.detach(header);
        }
      };
      std::array<std::thread, kThreads> threads;
      for (std::size_t i = 0; i < kThreads; ++i) threads[i] = std::thread(live, i);
      for (;;) {
        run.recorder.flush();
        if (!run.engine->snapshot().ok()) _exit(3);
      }
    });
    kill_after(enough, *progress, child);
    const RecoveredTree run = recovered(shape, path_);
    ASSERT_NE(run.tree, nullptr);
    // While a tree is rewritten its contexts cannot be told, but the sum of their calls can.
    EXPECT_EQ(run.calls_lost, run.calls_of_unknown_callers);
    EXPECT_EQ(cct::total_calls(*run.tree) + run.calls_lost, run.calls_seen);
    std::uint64_t of_threads = 0;
    ReferenceTree truth;
    for (const shadowstack::ThreadRow& row : run.threads) {
      of_threads += row.calls;
      const CallStream& life = lives.at(static_cast<std::size_t>(row.runtime_id));
      ASSERT_LE(row.calls, life.size());
      add_prefix(truth, shape, life, row.calls);
    }
    EXPECT_GE(of_threads, progress->sum(progress->done));
    EXPECT_LE(of_threads, progress->sum(progress->begun));
    if (counts_calls) {
      EXPECT_EQ(run.calls_seen, of_threads);
    }
    if (run.calls_lost == 0 && run.tree->evicted().contexts == 0) {
      ASSERT_TRUE(tree_text(*run.tree) == truth.text(false));  // too long to be shown
    }
  }
}

// Hand-overs, folding and the end, looked at between instructions. Not where clocks are needed,
// which no slow reader ever finds standing still.
class PacketRecoveryBetween : public PacketRecoveryOf {};

// The same with work for no worker: a second thread would not stop while the first is looked at.
Shape without_workers(Shape shape) {
  shape.engine.workers = 1;
  return shape;
}

TEST_P(PacketRecoveryBetween, InstructionsFindsEveryCallSoFarOnce) {
  std::mt19937_64 random(8);
  const CallStream stream = test::random_stream(random, {.calls = 60, .methods = 5, .deepest = 6});
  const pid_t child = start(GetParam(), [&](Run& run) {
    shadowstack::ThreadHeader* header = run.recorder.attach(1, "one");
    const auto append = [&](std::size_t from, std::size_t to) {
      for (; from < to; ++from) {
        test::append(run.recorder, header, stream[from], run.pool.packet_bytes());
      }
    };
    append(0, 30);
    test::begin_to_be_stepped();
    append(30, 50);
    run.recorder.flush();
    append(50, 60);
    run.recorder.detach(header);
    run.engine->finish();
    test::end_of_steps();
  });
  COPSE_NEED_STEPS(child)
  const std::string seen = path_ + "-seen";
  const std::uint64_t between = instructions_between_looks();
  std::uint64_t calls = 30;
  std::uint64_t steps = 0;
  for (; test::step(child); ++steps) {
    if (steps % between != 0) continue;
    SCOPED_TRACE("after " + std::to_string(steps) + " instructions");
    ASSERT_EQ(test::threads_of(child), 1u) << "the others do not stop while memory is copied";
    ASSERT_TRUE(test::copy_with_holes(path_, seen));
    const RecoveredTree run = recovered(GetParam(), seen);
    ASSERT_NE(run.tree, nullptr);
    ASSERT_EQ(run.calls_lost, run.calls_of_unknown_callers);
    ASSERT_EQ(run.threads.size(), 1u);
    ASSERT_GE(run.threads[0].calls, calls);
    calls = run.threads[0].calls;
    ASSERT_LE(calls, stream.size());
    if (run.calls_lost != 0) continue;
    ReferenceTree truth;
    add_prefix(truth, GetParam(), stream, calls);
    ASSERT_EQ(tree_text(*run.tree), truth.text(false));
  }
  test::end(child);
  EXPECT_EQ(calls, stream.size());
  EXPECT_GT(steps, 10'000u);
  RecordProperty("instructions", std::to_string(steps));
}

INSTANTIATE_TEST_SUITE_P(Shapes, PacketRecoveryBetween,
                         testing::Values(without_workers(kTinyPackets), without_workers(kUptree),
                                         without_workers(kEvents)),
                         [](const auto& shape) { return shape.param.name; });

INSTANTIATE_TEST_SUITE_P(Shapes, PacketRecoveryOf,
                         testing::Values(kTree, kTinyPackets, kWithoutSites, kRecursion, kBounded,
                                         kUptree, kEvents),
                         [](const auto& shape) { return shape.param.name; });

TEST_F(PacketRecovery, ReadsNothingBeyondWhatIsThereFromDamagedMemory) {
  std::mt19937_64 random(5);
  const CallStream stream = test::random_stream(random, {.calls = 3000});
  expect_killed(start(kTinyPackets, [&](Run& run) {
    test::play(run.recorder, 1, stream, run.pool.packet_bytes());
    shadowstack::ThreadHeader* header = run.recorder.attach(2, "live");
    for (const CallRecord record : stream) {
      test::append(run.recorder, header, record, run.pool.packet_bytes());
    }
  }));
  const auto position = [&](const SharedMemory::Header& header) {
    const SharedMemory::Row& row = header.row[random() % header.rows];
    const std::uint64_t near = std::min<std::uint64_t>(row.bytes, random() % 4 == 0 ? 16384 : 512);
    return row.offset + random() % std::max<std::uint64_t>(near, 1);
  };
  expect_damage_is_harmless(random, 600, position, recover_as(kTinyPackets));
}

TEST_P(PacketRecoveryOf, FindsWhatHadRoomInAFileSystemThatWasFull) {
  std::mt19937_64 random(6);
  const CallStream ended = test::random_stream(random, {.calls = 20'000});
  const CallStream live = test::random_stream(random, {.calls = 3001});
  expect_killed(start(GetParam(), [&](Run& run) {
    test::play(run.recorder, 11, ended, run.pool.packet_bytes());
    for (std::int64_t i = 0; i < 50; ++i) {
      shadowstack::ThreadHeader* header = run.recorder.attach(i, "live");
      for (const CallRecord record : live) {
        test::append(run.recorder, header, record, run.pool.packet_bytes());
      }
    }
  }));
  const RecoveredTree whole = recovered(GetParam(), path_);
  ASSERT_NE(whole.tree, nullptr);
  expect_what_is_there_of(*whole.tree, random, 15, recover_as(GetParam()));
}

TEST_F(PacketRecovery, RefusesTheMemoryOfOtherRuns) {
  const pid_t child = KilledRun::start([](SharedMemory& memory) {
    void* first = memory.reserve(4096, 8);
    if (first == nullptr || !memory.commit(first, 4096)) _exit(2);
  });
  expect_killed(child);
  const auto file = SharedMemoryFile::open(path_);
  ASSERT_TRUE(file.ok()) << file.message();
  EXPECT_FAULT(recover_packets(**file, {}), kMalformed, "packets");
}

}  // namespace
}  // namespace copse::recover
