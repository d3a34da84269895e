// Threads whose probes find records while others make them, in slots that they share. Meant for
// ThreadSanitizer; every frame's id carries its own check.
#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "encoders/ids/context_ids.h"
#include "encoders/ids/id_journal.h"
#include "encoders/ids/id_run.h"
#include "encoders/numbering/dacce.h"
#include "encoders/numbering/id_decode.h"
#include "encoders/numbering/luce.h"
#include "encoders/numbering/segment.h"
#include "support/call_streams.h"
#include "support/id_probe.h"
#include "support/plenty.h"

namespace copse::ids {
namespace {

using test::CallStream;
using test::IdProbe;
using test::kPlenty;
using test::TruePaths;

constexpr unsigned kThreads = 4;
constexpr std::uint32_t kMethods = 40;
constexpr std::uint32_t kSites = 8;
// Every how many ids one is decoded. Decoding has one thread: under ThreadSanitizer it takes a minute and shows nothing.
#if defined(__SANITIZE_THREAD__)
constexpr std::size_t kDecodeEvery = 16;
#else
constexpr std::size_t kDecodeEvery = 1;
#endif

struct Setting {
  const char* name;
  test::StreamShape shape;
  std::uint64_t most_bytes = kPlenty;
  bool has_epochs = false;
  bool has_versions = false;
};

std::unique_ptr<encoders::CodeNumbering> numbering(const Setting& setting) {
  if (setting.has_versions) return std::make_unique<encoders::LuceNumbering>();
  if (!setting.has_epochs) return std::make_unique<encoders::SegmentNumbering>();
  return std::make_unique<encoders::DacceNumbering>(
      encoders::DacceNumberingOptions{.first_edges = 10, .first_pieces = 20, .first_heat = 20});
}

class ContextIdStress : public testing::TestWithParam<Setting> {
 protected:
  static std::vector<CallStream> streams(std::uint64_t seed) {
    std::vector<CallStream> streams;
    for (unsigned i = 0; i < kThreads; ++i) {
      std::mt19937_64 random(seed * kThreads + i);
      streams.push_back(test::random_stream(random, GetParam().shape));
    }
    return streams;
  }
};

// How many calls are lost. The others' ids decode to their contexts.
std::uint64_t check_ids(const ContextIds& ids, const CallStream& stream,
                        const std::vector<std::uint64_t>& words) {
  TruePaths paths;
  std::uint64_t lost = 0;
  for (std::size_t i = 0; i < stream.size(); ++i) {
    const CallPath& path = paths.next(stream[i]);
    const std::uint64_t id = ids.id_of(words[i]);
    if (id == 0) {
      ++lost;
      continue;
    }
    if (i % kDecodeEvery != 0) continue;
    const Result<CallPath> decoded = ids.tables()->decode(id);
    EXPECT_TRUE(decoded.ok()) << decoded.message();
    EXPECT_TRUE(decoded.ok() && *decoded == path) << "call " << i << ": " << to_string(path);
    if (testing::Test::HasFailure()) break;
  }
  return lost;
}

TEST_P(ContextIdStress, EveryFrameOfEveryThreadHasItsOwnContextsId) {
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const std::vector<CallStream> streams = this->streams(seed);
    ContextIds ids(numbering(GetParam()), GetParam().most_bytes);
    std::vector<std::uint32_t> places(kMethods + 1);
    for (std::uint32_t method = 1; method <= kMethods; ++method) {
      places[method] = static_cast<std::uint32_t>(ids.place(MethodId{method}, kSites).value());
    }
    std::vector<std::vector<std::uint64_t>> words(kThreads);
    std::atomic<unsigned> ready{0};
    {
      std::vector<std::jthread> threads;
      for (unsigned i = 0; i < kThreads; ++i) {
        threads.emplace_back([&, i] {
          shadowstack::ThreadHeader* header = ids.threads().attach(i, "stress");
          ready.fetch_add(1);
          while (ready.load() < kThreads) std::this_thread::yield();
          words[i] = IdProbe(*ids.tables(), places, header).run(streams[i]);
          ids.threads().detach(header);
        });
      }
    }
    std::uint64_t lost = 0;
    for (unsigned i = 0; i < kThreads; ++i) lost += check_ids(ids, streams[i], words[i]);
    EXPECT_EQ(ids.tables()->stats().lost_entries, lost);
    EXPECT_EQ(ids.tables()->stats().epochs > 2, GetParam().has_epochs);
    EXPECT_EQ(lost != 0, GetParam().most_bytes != kPlenty);
    if (HasFailure()) return;
  }
}

// Reads a journal while it is written, and decodes by it what was given out before.
class JournalReader {
 public:
  JournalReader(IdRun& run, std::unique_ptr<encoders::CodeNumbering> numbering)
      : run_(run),
        numbering_(std::move(numbering)),
        pieces_(numbering_->slots() == encoders::SlotKind::kEpochMappings) {}

  void read() {
    // Acquire pairs with the release in IdJournal: the words up to there are whole.
    const std::uint64_t words =
        std::atomic_ref<std::uint64_t>(run_.journal.words).load(std::memory_order_acquire);
    const auto* const first = reinterpret_cast<const std::uint64_t*>(run_.journal.address);
    const ReplayedJournal replayed = replay_journal({first + read_, words - read_},
                                                    MethodId{kMaxMethodId}, *numbering_, pieces_);
    ASSERT_TRUE(replayed.status.ok()) << replayed.status.message();
    read_ = words;
  }
  // Returns whether there is an id.
  bool expect(std::uint64_t id, const CallPath& path) const {
    if (id == 0) return false;
    const Result<CallPath> decoded = encoders::decode_id(*numbering_, pieces_, id);
    EXPECT_EQ(decoded.ok() ? to_string(*decoded) : decoded.message(), to_string(path));
    return true;
  }

 private:
  IdRun& run_;
  const std::unique_ptr<encoders::CodeNumbering> numbering_;
  encoders::IdPieceList pieces_;
  std::uint64_t read_ = 0;
};

TEST_P(ContextIdStress, TheJournalHasWhatDecodesEveryIdThatIsOut) {
  for (std::uint64_t seed = 1; seed <= 2; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const std::vector<CallStream> streams = this->streams(seed);
    IdRun run{};
    ContextIds ids(numbering(GetParam()), GetParam().most_bytes);
    ids.tables()->keep_journal(shadowstack::anonymous_memory(), run);
    JournalReader reader(run, numbering(GetParam()));
    std::vector<std::uint32_t> places(kMethods + 1);
    for (std::uint32_t method = 1; method <= kMethods; ++method) {
      places[method] = static_cast<std::uint32_t>(ids.place(MethodId{method}, kSites).value());
    }
    struct Out {
      std::vector<std::uint64_t> ids;
      std::atomic<std::size_t> count{0};
      std::size_t checked = 0;
      TruePaths paths;
    };
    std::vector<Out> out(kThreads);
    std::vector<std::jthread> threads;
    for (unsigned i = 0; i < kThreads; ++i) {
      out[i].ids.resize(streams[i].size());
      threads.emplace_back([&, i] {
        IdProbe probe(*ids.tables(), places, ids.threads().attach(i, "stress"));
        for (std::size_t call = 0; call < streams[i].size(); ++call) {
          out[i].ids[call] = ids.id_of(probe.follow(streams[i][call]));
          out[i].count.store(call + 1, std::memory_order_release);
        }
      });
    }
    std::uint64_t asked = 0, decoded = 0;
    for (bool all = false; !all;) {
      std::vector<std::size_t> counts;
      for (const Out& of : out) counts.push_back(of.count.load(std::memory_order_acquire));
      reader.read();
      all = true;
      for (unsigned i = 0; i < kThreads; ++i) {
        for (; out[i].checked < counts[i]; ++out[i].checked) {
          const CallPath& path = out[i].paths.next(streams[i][out[i].checked]);
          if (out[i].checked % kDecodeEvery != 0) continue;
          ++asked;
          decoded += reader.expect(out[i].ids[out[i].checked], path) ? 1 : 0;
        }
        all = all && counts[i] == streams[i].size();
      }
      if (HasFailure()) return;
    }
    EXPECT_GT(decoded, 0u);
    if (GetParam().most_bytes == kPlenty) {
      EXPECT_EQ(decoded, asked);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(
    Settings, ContextIdStress,
    testing::Values(
        Setting{"Usual", {.calls = 20000}},
        // One site's four slots change hands all the time, and records are found in the pairs.
        Setting{"CrowdedSlots", {.calls = 20000, .methods = kMethods, .sites = 1, .deepest = 2}},
        // Records grow while they are read.
        Setting{"Recursive",
                {.calls = 10000, .methods = 5, .sites = 3, .deepest = 100, .call_chance = 0.6}},
        Setting{"LittleMemory", {.calls = 20000}, 200 * 200},
        // Numbered anew while others look for records and pieces.
        Setting{"Epochs", {.calls = 20000}, kPlenty, true},
        Setting{"EpochsOfRecursion",
                {.calls = 10000, .methods = 5, .sites = 3, .deepest = 100, .call_chance = 0.6},
                kPlenty,
                true},
        // A change of Luce's graph takes its time, and decoding too.
        Setting{"Versions", {.calls = 3000}, kPlenty, false, true},
        Setting{"VersionsOfRecursion",
                {.calls = 3000, .methods = 5, .sites = 3, .deepest = 100, .call_chance = 0.6},
                kPlenty,
                false,
                true}),
    [](const auto& setting) { return std::string(setting.param.name); });

TEST(ContextIdStress, ThreadsThatComeAndGoStartAtRootAndSumTheirEvents) {
  constexpr int kLives = 50;
  ContextIds ids(std::make_unique<encoders::SegmentNumbering>(), kPlenty);
  const auto place = static_cast<std::uint32_t>(ids.place(MethodId{1}, kSites).value());
  const std::vector<std::uint32_t> places = {0, place};
  {
    std::vector<std::jthread> threads;
    for (unsigned i = 0; i < kThreads; ++i) {
      threads.emplace_back([&, i] {
        for (int life = 0; life < kLives; ++life) {
          shadowstack::ThreadHeader* header = ids.threads().attach(i, "short");
          IdProbe probe(*ids.tables(), places, header);
          ids.add_event(ContextIds::EventKind::kMark, probe.down(kNoSite, MethodId{1}));
          ids.add_event(ContextIds::EventKind::kMark, probe.down(SiteOrdinal{3}, MethodId{1}));
          ids.threads().rename(header, "ending");
          ids.threads().detach(header);  // in the middle of its frames
        }
      });
    }
  }
  const ContextIds::Events events = ids.events(ContextIds::EventKind::kMark);
  EXPECT_EQ(events.lost, 0u);
  ASSERT_EQ(events.sums.size(), 2u);
  for (const ContextIds::EventSum& sum : events.sums) {
    EXPECT_EQ(sum.count, std::uint64_t{kThreads} * kLives);
  }
}

}  // namespace
}  // namespace copse::ids
