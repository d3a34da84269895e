#include "encoders/ids/context_ids.h"

#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "encoders/events/outside.h"
#include "encoders/numbering/segment.h"
#include "encoders/replay/pcc.h"
#include "report/model/measure_view.h"
#include "support/call_streams.h"
#include "support/id_probe.h"
#include "support/inlined_program.h"
#include "support/plenty.h"

namespace copse::ids {
namespace {

using encoders::Token;
using test::call;
using test::CallStream;
using test::IdProbe;
using test::kPlenty;
using test::TruePaths;

constexpr std::uint32_t kMethods = 40;
constexpr std::uint32_t kSites = 8;

std::vector<std::uint32_t> places_of(ContextIds& ids) {
  std::vector<std::uint32_t> places(kMethods + 1);
  for (std::uint32_t method = 1; method <= kMethods; ++method) {
    places[method] = static_cast<std::uint32_t>(ids.place(MethodId{method}, kSites).value());
  }
  return places;
}

// The frame's word that probes with long operands come to.
std::uint64_t mixed_word(ContextIds& ids, const CallPath& path) {
  std::uint64_t word = 0;
  for (const EdgeKey edge : path) {
    const CallSite at = site_of(edge);
    if (at.caller != kNoMethod) {
      word += static_cast<std::uint64_t>(ids.site(at.caller, at.ordinal));
    }
    word = 3 * word + static_cast<std::uint64_t>(ids.place(callee_of(edge), 0).value());
  }
  return word;
}

TEST(ContextIds, OfSegmentTakePlacesAsNumbersAndSitesAsOrdinals) {
  ContextIds ids(std::make_unique<encoders::SegmentNumbering>(), kPlenty);
  const auto first = ids.place(MethodId{1}, 4);
  EXPECT_EQ(ids.place(MethodId{2}, 0), *first + 5);
  EXPECT_EQ(ids.place(MethodId{1}, 9), first);
  EXPECT_EQ(ids.site(MethodId{1}, SiteOrdinal{3}), 3);
  EXPECT_EQ(ids.site(MethodId{1}, kNoSite), 0);
  EXPECT_EQ(ids.place(MethodId{3}, kMostIdNumbers), std::nullopt);
}

TEST(ContextIds, OfSegmentDecode) {
  std::mt19937_64 random(4);
  const CallStream stream = test::random_stream(random, {});
  ContextIds ids(std::make_unique<encoders::SegmentNumbering>(), kPlenty);
  const std::vector<std::uint32_t> places = places_of(ids);
  shadowstack::ThreadHeader* header = ids.threads().attach(1, "main");
  const std::vector<std::uint64_t> words = IdProbe(*ids.tables(), places, header).run(stream);
  TruePaths paths;
  for (std::size_t i = 0; i < stream.size(); ++i) {
    const Result<CallPath> decoded = ids.tables()->decode(ids.id_of(words[i]));
    ASSERT_TRUE(decoded.ok()) << decoded.message();
    ASSERT_EQ(*decoded, paths.next(stream[i])) << "call " << i;
  }
}

// A probe for methods by their ids.
struct WordOfIds {
  IdProbe& probe;
  const std::vector<std::uint32_t>& places;
  const shadowstack::ThreadHeader& header;

  IdProbe::Frame enter(MethodId method) { return probe.enter(places[raw(method)]); }
  void call(const IdProbe::Frame& frame, SiteOrdinal site) { probe.call(frame, site); }
  void restore(const IdProbe::Frame& frame) { probe.restore(frame); }
  void exit(const IdProbe::Frame& frame) { probe.exit(frame); }
  std::uint64_t word() const { return header.word; }
};

TEST(ContextIds, AreThoseOfTheCodeThatRunsWhereTheWordLagsBehind) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    ContextIds ids(std::make_unique<encoders::SegmentNumbering>(), kPlenty);
    std::vector<std::uint32_t> places(100);
    for (std::uint32_t method = 1; method < places.size(); ++method) {
      places[method] = static_cast<std::uint32_t>(ids.place(MethodId{method}, kSites).value());
    }
    const shadowstack::ThreadHeader* header = ids.threads().attach(1, "main");
    IdProbe id_probe(*ids.tables(), places, const_cast<shadowstack::ThreadHeader*>(header));
    WordOfIds probe{id_probe, places, *header};
    int corrected = 0;
    test::InlinedProgram(probe, seed)
        .run(1000, [&](std::uint64_t word, const shadowstack::CodePlace& code,
                       const std::vector<ContextKey>& path) {
          // A word of ROOT has no frame to go on from.
          if (ids.is_outside(word)) return;
          corrected += word != probe.word() ? 1 : 0;
          const Result<CallPath> decoded =
              ids.tables()->decode(ids.id_of(ids.corrected(word, code)));
          ASSERT_TRUE(decoded.ok()) << decoded.message();
          std::vector<ContextKey> found;
          for (const EdgeKey edge : *decoded) {
            found.push_back(context_key(site_of(edge).ordinal, callee_of(edge)));
          }
          ASSERT_EQ(found, path);
        });
    EXPECT_GT(corrected, 400);
  }
}

TEST(ContextIds, OfPccNeedNoTablesAndEndNever) {
  ContextIds ids(ContextIds::hashes(), 0);
  EXPECT_EQ(ids.tables(), nullptr);
  EXPECT_NE(ids.place(MethodId{1}, 0), std::nullopt);
  EXPECT_EQ(ids.place(MethodId{1}, kMostIdNumbers), ids.place(MethodId{1}, 0));
  EXPECT_NE(ids.place(MethodId{1}, 0), ids.place(MethodId{2}, 0));
  EXPECT_EQ(ids.site(MethodId{1}, kNoSite), 0);
  EXPECT_EQ(ids.id_of(0x1234'5678'9ABC'DEF0), 0x1234'5678'9ABC'DEF0u);
  EXPECT_EQ(ids.threads().attach(1, "main")->word, 0u);
}

TEST(ContextIds, OfPccAreTheTokensOfItsEncoder) {
  std::mt19937_64 random(6);
  const CallStream stream = test::random_stream(random, {});
  ContextIds ids(ContextIds::hashes(), 0);
  encoders::Pcc64Encoder encoder;
  auto& thread = encoder.thread(ThreadIndex{0});
  encoder.start(thread);
  TruePaths paths;
  for (const CallRecord record : stream) {
    const CallPath& path = paths.next(record);
    encoder.unwind(thread, static_cast<std::uint32_t>(thread.frames.size() - path.size()));
    encoder.call(thread, path.back());
    Token token;
    encoder.token(thread, token);
    Token word;
    word.put(ids.id_of(mixed_word(ids, path)), 8);
    ASSERT_EQ(word, token) << to_string(path);
  }
}

TEST(ContextIds, SumEventsByContext) {
  ContextIds ids(std::make_unique<encoders::SegmentNumbering>(), kPlenty);
  const std::vector<std::uint32_t> places = places_of(ids);
  IdProbe probe(*ids.tables(), places, ids.threads().attach(1, "main"));
  const CallStream stream = {call(0, 0, 1), call(1, 1, 2), call(1, 2, 2), call(1, 1, 2)};
  std::map<std::uint64_t, std::uint64_t> expected;
  for (const std::uint64_t word : probe.run(stream)) {
    ids.add_event(ContextIds::EventKind::kMark, word);
    ++expected[ids.id_of(word)];
  }
  ASSERT_EQ(expected.size(), 3u);
  const ContextIds::Events events = ids.events(ContextIds::EventKind::kMark);
  EXPECT_EQ(events.seen, 4u);
  EXPECT_EQ(events.lost, 0u);
  ASSERT_EQ(events.sums.size(), expected.size());
  auto want = expected.begin();
  for (const ContextIds::EventSum& sum : events.sums) {
    EXPECT_EQ(sum.id, want->first);
    EXPECT_EQ(sum.count, want->second);
    ++want;
  }
}

TEST(ContextIds, AreGivenToNoOtherContextsAfterTheirEnd) {
  ContextIds ids(std::make_unique<encoders::SegmentNumbering>(), kPlenty);
  const std::vector<std::uint32_t> places = places_of(ids);
  IdProbe probe(*ids.tables(), places, ids.threads().attach(1, "main"));
  const CallStream known = {call(0, 0, 1), call(1, 1, 2), call(2, 1, 2)};
  const std::vector<std::uint64_t> words = probe.run(known);
  ids.end_ids();
  EXPECT_EQ(probe.run(known), words);
  const std::vector<std::uint64_t> others = probe.run(CallStream{call(0, 0, 1), call(1, 1, 3)});
  EXPECT_EQ(ids.public_id_of(others[0]), ids.public_id_of(words[0]));
  EXPECT_EQ(ids.public_id_of(others[1]), 0u);
}

TEST(ContextIds, KeepEventsOutsideAnyContextByPlace) {
  ContextIds ids(std::make_unique<encoders::SegmentNumbering>(), kPlenty);
  ids.add_event(events::EventKind::kCpu, kRootNumber, {30, 2});
  ids.add_event(events::EventKind::kCpu, kRootNumber, {5, 1});
  ids.add_event_outside(events::EventKind::kCpu, events::Outside::kAfterLastSample, {7, 0},
                        nullptr);
  const ContextIds::Events events = ids.events(events::EventKind::kCpu);
  EXPECT_EQ(events.seen, 3u);
  EXPECT_EQ(events.lost, 0u);
  EXPECT_EQ(events.lost_weight, 0u);
  EXPECT_TRUE(events.sums.empty());
  EXPECT_EQ(events.outside[0].count, 3u);
  EXPECT_EQ(events.outside[0].weight, 35u);
  EXPECT_EQ(events.outside[1].count, 0u);
  EXPECT_EQ(events.outside[1].weight, 7u);
  EXPECT_EQ(ids.events(events::EventKind::kException).outside[0].count, 0u);
}

TEST(ContextIds, CountEventsWithoutAnIdAsLost) {
  ContextIds ids(std::make_unique<encoders::SegmentNumbering>(), 0);
  const std::vector<std::uint32_t> places = places_of(ids);
  IdProbe probe(*ids.tables(), places, ids.threads().attach(1, "main"));
  for (const std::uint64_t word : probe.run(CallStream{call(0, 0, 1), call(1, 3, 2)})) {
    ids.add_event(ContextIds::EventKind::kMark, word);
  }
  const ContextIds::Events events = ids.events(ContextIds::EventKind::kMark);
  EXPECT_EQ(events.seen, 2u);
  EXPECT_EQ(events.lost, 2u);
  EXPECT_TRUE(events.sums.empty());
  EXPECT_EQ(events.outside[0].count, 0u) << "its frames are recorded";
}

TEST(ContextIds, SumEventsOfThreadsAtOnce) {
  constexpr int kThreads = 4;
  constexpr std::uint64_t kEvents = 5000;
  ContextIds ids(ContextIds::hashes(), 0);
  {
    std::vector<std::jthread> threads;
    for (int i = 0; i < kThreads; ++i) {
      threads.emplace_back([&ids] {
        for (std::uint64_t n = 0; n < kEvents; ++n)
          ids.add_event(ContextIds::EventKind::kMark, n % 5);
      });
    }
  }
  const ContextIds::Events events = ids.events(ContextIds::EventKind::kMark);
  EXPECT_EQ(events.seen, kThreads * kEvents);
  EXPECT_EQ(events.lost, kThreads * kEvents / 5);
  ASSERT_EQ(events.sums.size(), 4u);
  for (std::uint64_t i = 0; i < 4; ++i) {
    EXPECT_EQ(events.sums[i].id, i + 1);
    EXPECT_EQ(events.sums[i].count, kThreads * kEvents / 5);
  }
}

// A report does not know the module of events.
TEST(EventKinds, AreRecordedByTheMeasureThatAReportNamesWhereTheyAreNotThere) {
  for (const events::Measure& measure : events::kMeasures) {
    for (const events::EventKind kind : measure.kinds) {
      const events::EventKindInfo& info = events::info_of(kind);
      for (const std::string_view column : {info.count, info.weight}) {
        // The bytes of both kinds of allocations have one column.
        if (column.empty() || column == "allocated_bytes") continue;
        const std::string said = report::absent_measure(column, {});
        const std::string_view word =
            std::string_view(said).substr(std::min(said.size(), said.rfind(' ') + 1));
        const std::vector<events::EventKind> recorded = events::kinds_of_measure(word);
        EXPECT_EQ(std::ranges::count(recorded, kind), 1) << said;
      }
    }
    EXPECT_NE(report::absent_measure(measure.name, {}).find("record with"), std::string::npos)
        << measure.name;
  }
}

TEST(OutsideNames, ThreadsWithoutCallsAreTheSameInReports) {
  EXPECT_EQ(report::kThreadsWithoutCalls, events::outside_name(events::Outside::kOtherThreads));
}

}  // namespace
}  // namespace copse::ids
