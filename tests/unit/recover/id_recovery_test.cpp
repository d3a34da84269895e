#include "recover/recovered_ids.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <csignal>
#include <functional>
#include <memory>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "encoders/ids/context_ids.h"
#include "encoders/ids/id_run.h"
#include "encoders/numbering/id_decode.h"
#include "encoders/replay/encoder_info.h"
#include "support/call_streams.h"
#include "support/id_probe.h"
#include "support/killed_run.h"
#include "support/numbering_samples.h"
#include "support/plenty.h"
#include "support/stepped_process.h"

namespace copse::recover {
namespace {

using events::EventKind;
using ids::ContextIds;
using test::CallStream;
using test::IdProbe;
using test::kPlenty;
using test::TruePaths;

constexpr std::uint32_t kMethods = 40;
constexpr std::uint32_t kSites = 8;
constexpr MethodId kLast{1000};

// Every other call of the streams is in the graph that some encoders number.
std::unique_ptr<encoders::CodeNumbering> numbering_of(std::string_view encoder,
                                                      const std::vector<CallStream>& streams) {
  const encoders::EncoderInfo* const scheme = encoders::find_live_encoder(encoder);
  if (scheme == nullptr) return nullptr;
  graph::CallGraph graph;
  for (const CallStream& stream : streams) {
    TruePaths paths;
    for (std::size_t i = 0; scheme->needs_graph && i < stream.size(); ++i) {
      const EdgeKey edge = paths.next(stream[i]).back();
      if (raw(edge) % 2 == 0 && graph.find(edge) < 0) graph.add(edge);
    }
  }
  return scheme->numbering(std::move(graph), std::make_unique<test::SameNames>(),
                           encoders::kMostIdCodes);
}

std::vector<std::uint32_t> places_of(ContextIds& ids) {
  std::vector<std::uint32_t> places(kMethods + 1);
  for (std::uint32_t method = 1; method <= kMethods; ++method) {
    places[method] = static_cast<std::uint32_t>(ids.place(MethodId{method}, kSites).value());
  }
  return places;
}

std::uint64_t id_of(const RecoveredIds& ids, std::uint64_t public_id) {
  return ids.key.reveal(public_id);
}

class IdRecovery : public test::KilledRun {
 protected:
  // A process whose ids are in the memory, killed when `body` has ended, or before.
  pid_t start(std::string_view encoder, const std::vector<CallStream>& streams,
              const std::function<void(ContextIds&)>& body) {
    return KilledRun::start([&](SharedMemory& memory) {
      ContextIds ids(numbering_of(encoder, streams), kPlenty);
      if (!ids.keep_in(memory, {MethodId{7}, kNoMethod, kNoMethod})) _exit(4);
      body(ids);
      raise(SIGKILL);  // before the memory is given back
    });
  }
  RecoveredIds recovered(std::string_view encoder) {
    auto file = SharedMemoryFile::open(path_);
    EXPECT_TRUE(file.ok()) << file.message();
    if (!file.ok()) return {};
    EXPECT_TRUE(is_of_ids(**file));
    Result<RecoveredIds> ids = recover_ids(**file, encoder, kLast);
    EXPECT_TRUE(ids.ok()) << ids.message();
    return ids.ok() ? std::move(ids).value() : RecoveredIds{};
  }
};

// Makes an object in memory that outlives a process that shares it.
template <typename T>
T* shared() {
  return new (mmap(nullptr, sizeof(T), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0))
      T;
}

constexpr unsigned kThreads = 3;
constexpr std::size_t kCalls = 6000;
struct Given {
  // By thread and call of its stream.
  std::array<std::array<std::uint64_t, kCalls>, kThreads> ids{};
  std::array<std::atomic<std::uint64_t>, kThreads> count{};
  std::array<std::atomic<std::uint64_t>, kThreads> marks{};
};

class IdRecoveryOf : public IdRecovery, public testing::WithParamInterface<const char*> {};
INSTANTIATE_TEST_SUITE_P(Encoders, IdRecoveryOf,
                         testing::Values("segment", "luce", "dacce", "pcce", "deltapath", "rcce"));

TEST_P(IdRecoveryOf, DecodesEveryIdThatWasGivenOutWheneverTheProcessWasKilled) {
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937_64 random(seed);
    std::vector<CallStream> streams;
    for (unsigned i = 0; i < kThreads; ++i) {
      streams.push_back(test::random_stream(random, {.calls = kCalls,
                                                     .methods = seed % 2 == 0 ? kMethods : 6,
                                                     .sites = kSites,
                                                     .deepest = seed % 2 == 0 ? 8u : 60u,
                                                     .call_chance = seed % 2 == 0 ? 0.5 : 0.6}));
    }
    const std::uint64_t enough = random() % (kThreads * kCalls);
    auto* const given = shared<Given>();
    const pid_t child = start(GetParam(), streams, [&](ContextIds& ids) {
      const std::vector<std::uint32_t> places = places_of(ids);
      const auto live = [&](unsigned which) {
        IdProbe probe(*ids.tables(), places, ids.threads().attach(which + 1, "live"));
        for (std::size_t i = 0; i < streams[which].size() && i < kCalls; ++i) {
          const std::uint64_t word = probe.follow(streams[which][i]);
          given->ids[which][i] = ids.public_id_of(word);
          given->count[which].store(i + 1, std::memory_order_release);
          if (i % 3 != 0) continue;
          ids.add_event(EventKind::kMark, word);
          given->marks[which].fetch_add(1, std::memory_order_release);
        }
      };
      std::thread second(live, 1), third(live, 2);
      live(0);
      second.join();
      third.join();
    });
    const auto count = [&] {
      std::uint64_t sum = 0;
      for (const auto& of_thread : given->count) sum += of_thread.load();
      return sum;
    };
    while (count() < enough) std::this_thread::yield();
    kill(child, SIGKILL);
    expect_killed(child);

    const RecoveredIds ids = recovered(GetParam());
    ASSERT_NE(ids.numbering, nullptr);
    EXPECT_EQ(ids.changes_lost, 0u);
    EXPECT_GE(count(), enough);
    std::uint64_t marks = 0;
    for (unsigned which = 0; which < kThreads; ++which) {
      TruePaths paths;
      for (std::size_t i = 0; i < given->count[which].load(); ++i) {
        const CallPath& path = paths.next(streams[which][i]);
        const Result<CallPath> decoded =
            encoders::decode_id(*ids.numbering, ids.pieces, id_of(ids, given->ids[which][i]));
        ASSERT_TRUE(decoded.ok()) << "call " << i << " of thread " << which << ": "
                                  << decoded.message();
        ASSERT_EQ(to_string(*decoded), to_string(path));
      }
      marks += given->marks[which].load();
    }
    const ids::RecordedEvents& events = ids.events[0];
    EXPECT_GE(events.seen, marks);
    EXPECT_LE(events.seen, marks + kThreads);
    EXPECT_EQ(events.lost, 0u);
    for (const ids::EventSum& sum : events.sums) {
      EXPECT_TRUE(encoders::decode_id(*ids.numbering, ids.pieces, sum.id).ok());
    }
    munmap(given, sizeof(Given));
  }
}

// Some calls, all their ids, and the end.
void leave_a_run(ContextIds& ids, const CallStream& stream) {
  const std::vector<std::uint32_t> places = places_of(ids);
  shadowstack::ThreadHeader* const ended = ids.threads().attach(11, "ended");
  IdProbe(*ids.tables(), places, ended).run(stream);
  ids.threads().rename(ended, "has ended");
  ids.threads().detach(ended);
  ids.threads().detach(ids.threads().attach(12, ""));
  IdProbe probe(*ids.tables(), places, ids.threads().attach(13, "live"));
  for (const CallRecord record : stream) {
    ids.add_event(EventKind::kException, probe.follow(record));
    ids.add_event(EventKind::kCpu, probe.follow(record), {10, 1});
  }
  ids.keep_origin(11, 1, ids::kRootNumber);
  ids.keep_origin(13, 11, probe.follow(stream.back()));
  ids.keep_origin(13, 12, ids::kRootNumber);
  ids.add_event(EventKind::kCpu, ids::kRootNumber, {5, 2});
  ids.lose_events(EventKind::kCpu, {3, 1});
}

TEST_F(IdRecovery, HasThreadsAndEventsOfEveryKind) {
  std::mt19937_64 random(3);
  const CallStream stream = test::random_stream(random, {.calls = 500});
  expect_killed(start("segment", {stream}, [&](ContextIds& ids) { leave_a_run(ids, stream); }));
  const RecoveredIds ids = recovered("segment");
  ASSERT_EQ(ids.threads.size(), 3u);
  EXPECT_EQ(ids.threads[0].name, "has ended");
  EXPECT_EQ(ids.threads[0].runtime_id, 11);
  EXPECT_EQ(ids.threads[1].name, "live");
  EXPECT_EQ(ids.threads[2].index, shadowstack::kNoThread);
  EXPECT_EQ(ids.threads[2].threads, 1u);
  EXPECT_EQ(ids.outside[0], MethodId{7});
  EXPECT_EQ(ids.origins.count(), 2u);
  const std::vector<ids::ThreadOrigin> starts = ids.origins.leading_to(13);
  ASSERT_EQ(starts.size(), 2u);
  EXPECT_EQ(starts[0], (ids::ThreadOrigin{11, 1, 0, kNoSite}));
  EXPECT_EQ(starts[1].starter, 11);
  EXPECT_TRUE(encoders::decode_id(*ids.numbering, ids.pieces, starts[1].id).ok());
  const auto& cpu = ids.events[static_cast<std::size_t>(EventKind::kCpu)];
  EXPECT_EQ(cpu.outside[0].count, 2u);
  EXPECT_EQ(cpu.outside[0].weight, 5u);
  EXPECT_EQ(cpu.lost, 1u);
  EXPECT_EQ(cpu.lost_weight, 3u);
  EXPECT_EQ(cpu.seen, stream.size() + 3);
  std::uint64_t weight = 0;
  for (const auto& sum : cpu.sums) weight += sum.weight;
  EXPECT_EQ(weight, 10 * stream.size());
  EXPECT_EQ(ids.events[static_cast<std::size_t>(EventKind::kException)].seen, stream.size());
}

TEST_F(IdRecovery, OfHashesHasEventsAlone) {
  expect_killed(start("pcc", {}, [](ContextIds& ids) {
    ids.add_event(EventKind::kMark, 77);
    ids.add_event(EventKind::kMark, 78);
    ids.add_event(EventKind::kMark, 77);
  }));
  const RecoveredIds ids = recovered("pcc");
  EXPECT_EQ(ids.numbering, nullptr);
  ASSERT_EQ(ids.events[0].sums.size(), 2u);
  EXPECT_EQ(ids.events[0].sums[0].count, 2u);
}

// An event's count and its weight are both there, or neither is.
TEST_F(IdRecovery, HasWholeEventsWhateverInstructionWasTheLast) {
  constexpr std::uint64_t kWeight = 1000;
  const pid_t child = start("segment", {}, [](ContextIds& ids) {
    ids.add_event(EventKind::kCpu, ids::kRootNumber, {kWeight, 1});
    test::begin_to_be_stepped();
    for (int i = 0; i < 3; ++i) {
      ids.add_event(EventKind::kCpu, ids::kRootNumber, {kWeight, 1});
    }
    test::end_of_steps();
  });
  COPSE_NEED_STEPS(child)
  // A copy is looked at, since the process still has the file.
  const std::string copy = folder_ + "/copy";
  std::uint64_t last = 1;
  std::uint64_t looks = 0;
  do {
    ASSERT_TRUE(test::copy_with_holes(path_, copy));
    auto file = SharedMemoryFile::open(copy);
    ASSERT_TRUE(file.ok()) << file.message();
    const Result<RecoveredIds> ids = recover_ids(**file, "segment", kLast);
    ASSERT_TRUE(ids.ok()) << ids.message();
    const auto& cpu = ids->events[static_cast<std::size_t>(EventKind::kCpu)].outside[0];
    ASSERT_EQ(cpu.weight, kWeight * cpu.count) << "look " << looks;
    ASSERT_TRUE(cpu.count == last || cpu.count == last + 1) << cpu.count << " after " << last;
    last = cpu.count;
    ++looks;
  } while (test::step(child));
  EXPECT_EQ(last, 4u);
  EXPECT_GT(looks, 30u);
  test::end(child);
}

// A change is in the journal, or was not made yet.
TEST_F(IdRecovery, CountsNoChangeAsLostWhateverInstructionWasTheLast) {
  std::mt19937_64 random(3);
  const CallStream stream = test::random_stream(random, {.calls = 2, .methods = kMethods});
  const pid_t child = start("dacce", {stream}, [&](ContextIds& ids) {
    const std::vector<std::uint32_t> places = places_of(ids);
    IdProbe probe(*ids.tables(), places, ids.threads().attach(1, "live"));
    test::begin_to_be_stepped();
    for (const CallRecord record : stream) probe.follow(record);
    test::end_of_steps();
  });
  COPSE_NEED_STEPS(child)
  const std::string copy = folder_ + "/copy";
  std::uint64_t looks = 0;
  do {
    ASSERT_TRUE(test::copy_with_holes(path_, copy));
    auto file = SharedMemoryFile::open(copy);
    ASSERT_TRUE(file.ok()) << file.message();
    const Result<RecoveredIds> ids = recover_ids(**file, "dacce", kLast);
    ASSERT_TRUE(ids.ok()) << ids.message();
    ASSERT_EQ(ids->changes_lost, 0u) << "look " << looks;
    ++looks;
  } while (test::step(child));
  EXPECT_GT(looks, 30u);
  test::end(child);
}

TEST_F(IdRecovery, OfDamagedMemoryIsRefusedOrReadsNothingBeyondIt) {
  std::mt19937_64 random(5);
  const CallStream stream = test::random_stream(random, {.calls = 2000, .methods = kMethods});
  for (const char* encoder : {"segment", "luce", "dacce", "deltapath", "rcce"}) {
    SCOPED_TRACE(encoder);
    expect_killed(start(encoder, {stream}, [&](ContextIds& ids) { leave_a_run(ids, stream); }));
    const int file = open(path_.c_str(), O_RDWR | O_CLOEXEC);
    ASSERT_GE(file, 0);
    SharedMemory::Header header{};
    ASSERT_EQ(pread(file, &header, sizeof header, 0), ssize_t{sizeof header});
    int refused = 0;
    for (int round = 0; round < 150; ++round) {
      // In the first bytes of some reservation, where all that is read of such a run begins.
      const SharedMemory::Row& row = header.row[random() % header.rows];
      const auto at =
          static_cast<off_t>(row.offset + random() % std::min<std::uint64_t>(row.bytes, 2048));
      char before = 0;
      if (pread(file, &before, 1, at) != 1) continue;
      const char other = static_cast<char>(random());
      ASSERT_EQ(pwrite(file, &other, 1, at), 1);
      auto opened = SharedMemoryFile::open(path_);
      ASSERT_TRUE(opened.ok());
      const Result<RecoveredIds> ids = recover_ids(**opened, encoder, kLast);
      refused += ids.ok() ? 0 : 1;
      ASSERT_EQ(pwrite(file, &before, 1, at), 1);
    }
    close(file);
    EXPECT_GT(refused, 0);
  }
}

TEST_F(IdRecovery, CountsTheChangesThatHadNoRoom) {
  std::mt19937_64 random(6);
  const CallStream stream =
      test::random_stream(random, {.calls = 40000, .methods = kMethods, .deepest = 60});
  auto* const given = shared<std::array<std::uint64_t, 40000>>();
  expect_killed(start("segment", {stream}, [&](ContextIds& ids) {
    const std::vector<std::uint32_t> places = places_of(ids);
    IdProbe probe(*ids.tables(), places, ids.threads().attach(1, "live"));
    for (std::size_t i = 0; i < stream.size(); ++i) {
      (*given)[i] = ids.public_id_of(probe.follow(stream[i]));
    }
  }));
  const int file = open(path_.c_str(), O_RDWR | O_CLOEXEC);
  ASSERT_GE(file, 0);
  SharedMemory::Header header{};
  ASSERT_EQ(pread(file, &header, sizeof header, 0), ssize_t{sizeof header});
  // The journal is the largest; half of it had room.
  SharedMemory::Row* largest = &header.row[0];
  for (std::uint32_t i = 0; i < header.rows; ++i) {
    if (header.row[i].bytes > largest->bytes) largest = &header.row[i];
  }
  largest->bytes = largest->bytes / 2 / 4096 * 4096;
  header.is_whole = 0;
  ASSERT_EQ(pwrite(file, &header, sizeof header, 0), ssize_t{sizeof header});
  close(file);
  auto opened = SharedMemoryFile::open(path_);
  ASSERT_TRUE(opened.ok());
  const Result<RecoveredIds> ids = recover_ids(**opened, "segment", kLast);
  ASSERT_TRUE(ids.ok()) << ids.message();
  EXPECT_GT(ids->changes_lost, 0u);
  // An id decodes to its context or not at all, and those before the first that does not all do.
  TruePaths paths;
  std::uint64_t decoded = 0;
  for (std::size_t i = 0; i < stream.size(); ++i) {
    const CallPath& path = paths.next(stream[i]);
    const Result<CallPath> found =
        encoders::decode_id(*ids->numbering, ids->pieces, id_of(*ids, (*given)[i]));
    if (!found.ok()) continue;
    ++decoded;
    ASSERT_EQ(to_string(*found), to_string(path));
  }
  EXPECT_GT(decoded, 1000u);
  EXPECT_LT(decoded, stream.size());
  munmap(given, sizeof *given);
}

}  // namespace
}  // namespace copse::recover
