#include "encoders/ids/id_tables.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <new>
#include <random>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "encoders/ids/id_file.h"
#include "encoders/numbering/dacce.h"
#include "encoders/numbering/segment.h"
#include "support/call_streams.h"
#include "support/id_probe.h"
#include "support/plenty.h"
#include "support/scarce_memory.h"

namespace copse::ids {
namespace {

using test::call;
using test::CallStream;
using test::IdProbe;
using test::kPlenty;
using test::ScarceMemory;
using test::TruePaths;

constexpr RunKey kKey(7);
constexpr std::uint32_t kMethods = 40;
constexpr std::uint32_t kSites = 8;

// One thread's probes over tables of its own.
class Program {
 public:
  explicit Program(std::uint64_t most_bytes = kPlenty,
                   shadowstack::MemorySource& memory = shadowstack::anonymous_memory(),
                   std::uint32_t methods = kMethods, encoders::SegmentNumberingOptions ranges = {})
      : places_(test::places(numbers_, methods, kSites)),
        tables_(memory, numbers_, most_bytes,
                std::make_unique<encoders::SegmentNumbering>(ranges)) {}

  std::vector<std::uint64_t> run(const CallStream& stream) {
    return IdProbe(tables_, places_, &header_).run(stream);
  }
  std::uint64_t word_of_last(const CallStream& stream) { return run(stream).back(); }
  std::uint64_t id_of_last(const CallStream& stream) { return tables_.id_of(word_of_last(stream)); }
  std::string decoded(std::uint64_t id) const {
    const Result<CallPath> path = tables_.decode(id);
    return path.ok() ? to_string(*path) : path.message();
  }
  std::uint32_t place(std::uint32_t method) const { return places_[method]; }
  IdTables& tables() { return tables_; }
  shadowstack::ThreadHeader& header() { return header_; }

 private:
  SiteNumbers numbers_;
  std::vector<std::uint32_t> places_;
  shadowstack::ThreadHeader header_;
  IdTables tables_;
};

// Every call that is not lost has an id that decodes to its context. How many are lost.
std::uint64_t check_ids(Program& program, const CallStream& stream,
                        const std::vector<std::uint64_t>& words) {
  TruePaths paths;
  std::uint64_t lost = 0;
  for (std::size_t i = 0; i < stream.size(); ++i) {
    const CallPath& path = paths.next(stream[i]);
    const std::uint64_t id = program.tables().id_of(words[i]);
    if (id == 0) {
      ++lost;
      continue;
    }
    EXPECT_EQ(program.decoded(id), to_string(path)) << "call " << i;
    if (testing::Test::HasFailure()) break;
  }
  return lost;
}

TEST(IdTables, DecodeAnIdToItsContext) {
  Program program;
  EXPECT_EQ(program.decoded(program.id_of_last({call(0, 0, 1)})), "1");
  EXPECT_EQ(program.decoded(program.id_of_last({call(0, 0, 1), call(1, 2, 3)})), "1 1:2>3");
  EXPECT_EQ(program.decoded(program.id_of_last({call(0, 0, 1), call(1, 3, 3), call(2, 0, 5)})),
            "1 1:3>3 3:0>5");
}

TEST(IdTables, TellEqualMethodsInDifferentContextsApart) {
  Program program;
  std::set<std::uint64_t> ids;
  for (unsigned site = 0; site <= kSites; ++site) {
    ids.insert(program.id_of_last({call(0, 0, 1), call(1, site, 2)}));
    ids.insert(program.id_of_last({call(0, 0, 3), call(1, site, 2)}));
  }
  EXPECT_EQ(ids.size(), 2 * (kSites + 1));
  for (const std::uint64_t id : ids) EXPECT_EQ(encoders::id_method(id), MethodId{2});
}

TEST(IdTables, DecodeRandomStreams) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937_64 random(seed);
    const CallStream stream = test::random_stream(random, {.throw_chance = 0.05});
    Program program;
    EXPECT_EQ(check_ids(program, stream, program.run(stream)), 0u);
    EXPECT_EQ(program.header().word, kRootNumber);
    EXPECT_LT(program.tables().stats().slow_entries, stream.size());
  }
}

TEST(IdTables, DecodeDeepRecursion) {
  std::mt19937_64 random(1);
  const CallStream stream = test::recursive_stream(random, 1000, 8);
  Program program;
  EXPECT_EQ(check_ids(program, stream, program.run(stream)), 0u);
}

TEST(IdTables, DecodeWhereAMethodHasMoreContextsThanCodesInSegments) {
  // Every level doubles the contexts that the tables must foresee.
  std::mt19937_64 random(5);
  const CallStream stream = test::random_stream(
      random, {.calls = 20000, .methods = 6, .sites = 8, .deepest = 200, .call_chance = 0.6});
  Program program;
  EXPECT_EQ(check_ids(program, stream, program.run(stream)), 0u);
  EXPECT_GT(program.tables().stats().pieces, 0u);
}

TEST(IdTables, NumberARecursiveProgramWithFewRecordsAndFindItsPiecesAgain) {
  std::mt19937_64 random(5);
  const CallStream stream = test::random_stream(
      random, {.calls = 20000, .methods = 6, .sites = 8, .deepest = 200, .call_chance = 0.6});
  Program program;
  const std::vector<std::uint64_t> words = program.run(stream);
  const IdTables::Stats first = program.tables().stats();
  // Edges of six methods; contexts are a hundred times as many.
  EXPECT_LT(first.mappings, 2000u);
  EXPECT_GT(first.pieces, 5000u);
  EXPECT_EQ(program.run(stream), words) << "a context has one id";
  EXPECT_EQ(program.tables().stats().slow_entries, first.slow_entries)
      << "what is known is found without the lock";
}

TEST(IdTables, StartPiecesWhereAMethodHasNoCodeLeft) {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937_64 random(seed);
    const CallStream stream = test::random_stream(random, {});
    Program program(kPlenty, shadowstack::anonymous_memory(), kMethods,
                    {.most_codes = 8, .longest = 4, .reserve = 1});
    const std::vector<std::uint64_t> words = program.run(stream);
    EXPECT_EQ(check_ids(program, stream, words), 0u);
    EXPECT_LT(program.tables().stats().largest_code, 8u);
    EXPECT_EQ(program.run(stream), words);
  }
}

TEST(IdTables, GiveRootAndWhatIsLostNoId) {
  Program program;
  EXPECT_EQ(program.tables().id_of(kRootNumber), 0u);
  EXPECT_EQ(program.tables().id_of(kLostNumber), 0u);
  program.header().word = kLostNumber;
  EXPECT_EQ(program.id_of_last({call(0, 0, 1), call(1, 5, 2)}), 0u);
}

TEST(IdTables, LoseAndCountWhatHangsBelowTheLostNumber) {
  Program program;
  // These contexts are known, with records at the lowest numbers.
  for (unsigned method = 1; method <= 3; ++method) {
    for (unsigned site = 0; site <= kSites; ++site) {
      program.run({call(0, 0, method), call(1, site, 4), call(2, site, 5)});
    }
  }
  ASSERT_EQ(program.tables().stats().lost_entries, 0u);
  program.header().word = kLostNumber;
  for (unsigned site = 0; site <= kSites; ++site) {
    const CallStream stream = {call(0, 0, 1), call(1, site, 4), call(2, site, 5)};
    for (const std::uint64_t word : program.run(stream)) {
      EXPECT_EQ(program.tables().id_of(word), 0u) << "call site " << site;
    }
  }
  EXPECT_EQ(program.tables().stats().lost_entries, 3 * (kSites + 1));
  EXPECT_EQ(program.header().word, kLostNumber);
}

TEST(IdTables, LoseWhatTheLargestCallSiteOfALostFrameCalls) {
  Program program;
  program.run({call(0, 0, 1), call(1, 1, 2)});
  const std::uint64_t word = std::uint64_t{kLostNumber} + 65535;
  EXPECT_EQ(word & ~encoders::kIdNumberMask, 0u) << "the sum would be another code";
  EXPECT_EQ(program.tables().enter(word, program.place(1)), kLostNumber);
  EXPECT_EQ(program.tables().id_of(word), 0u);
}

TEST(IdTables, WithoutRoomKeepTheIdsOfKnownContextsAndLoseTheOthers) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937_64 random(seed);
    const CallStream stream = test::random_stream(random, {});
    Program program(200 * 100);
    const std::vector<std::uint64_t> words = program.run(stream);
    const std::uint64_t lost = check_ids(program, stream, words);
    EXPECT_GT(lost, 0u);
    EXPECT_LT(lost, stream.size());
    EXPECT_EQ(program.tables().stats().lost_entries, lost);
    const IdTables::Stats full = program.tables().stats();
    EXPECT_EQ(program.run(stream), words);
    EXPECT_EQ(program.tables().stats().ranges, full.ranges);
    EXPECT_EQ(program.tables().stats().pieces, full.pieces);
  }
}

TEST(IdTables, WithoutRoomForAnythingLoseEverything) {
  Program program(0);
  const CallStream stream = {call(0, 0, 1), call(1, 1, 2), call(1, 2, 3)};
  EXPECT_EQ(check_ids(program, stream, program.run(stream)), 3u);
  EXPECT_EQ(program.tables().stats().lost_entries, 3u);
  EXPECT_EQ(program.tables().stats().mappings, 0u);
}

TEST(IdTables, LoseWhatTheSystemHasNoMemoryFor) {
  constexpr std::uint32_t kMany = 40000;  // more records than the first step has room for
  ScarceMemory memory(2, 2);
  Program program(kPlenty, memory, kMany);
  CallStream stream;
  for (std::uint32_t method = 1; method <= kMany; ++method) stream.push_back(call(0, 0, method));
  const std::vector<std::uint64_t> words = program.run(stream);
  const std::uint64_t lost = check_ids(program, stream, words);
  const IdTables::Stats stats = program.tables().stats();
  EXPECT_EQ(stats.mappings, (std::uint64_t{1} << 20) / sizeof(IdMapping) - 1);
  EXPECT_EQ(lost, kMany - stats.mappings);
  EXPECT_EQ(stats.lost_entries, lost);
  EXPECT_EQ(program.run(stream), words);
}

TEST(IdTables, ThrowWithoutMemoryToStartWith) {
  const SiteNumbers numbers;
  for (int reservations = 0; reservations <= 2; ++reservations) {
    for (int commits = 0; commits <= 1; ++commits) {
      ScarceMemory memory(reservations, commits);
      EXPECT_THROW(
          IdTables(memory, numbers, kPlenty, std::make_unique<encoders::SegmentNumbering>()),
          std::bad_alloc);
    }
  }
}

TEST(IdTables, CountWhatTheProbesDidNotFind) {
  Program program;
  const CallStream stream = {call(0, 0, 1), call(1, 1, 2), call(1, 2, 3)};
  program.run(stream);
  const IdTables::Stats first = program.tables().stats();
  EXPECT_EQ(first.slow_entries, 3u);
  EXPECT_EQ(first.lost_entries, 0u);
  EXPECT_EQ(first.mappings, 3u);
  EXPECT_EQ(first.ranges, 3u);
  EXPECT_EQ(first.pieces, 0u);
  EXPECT_GT(first.bytes, 3 * sizeof(IdMapping));
  program.run(stream);
  EXPECT_EQ(program.tables().stats().slow_entries, 3u);
  EXPECT_EQ(program.tables().stats().mappings, 3u);
}

TEST(IdTables, FindCalleesThatShareASlotAmongTheRecentOnes) {
  Program program;
  // Every callee's slot at this site is another's before it is called again.
  CallStream stream = {call(0, 0, 1)};
  for (int round = 0; round < 50; ++round) {
    for (unsigned method = 2; method <= kMethods; ++method) stream.push_back(call(1, 1, method));
  }
  EXPECT_EQ(check_ids(program, stream, program.run(stream)), 0u);
  EXPECT_LT(program.tables().stats().slow_entries, 3u * kMethods);
}

// Its call adds the site's ordinal to 0.
TEST(IdTables, HangUnderRootWhatAFrameFromBeforeTheStartCalls) {
  std::vector<std::unique_ptr<encoders::CodeNumbering>> numberings;
  numberings.push_back(std::make_unique<encoders::SegmentNumbering>());
  numberings.push_back(std::make_unique<encoders::DacceNumbering>());
  for (std::unique_ptr<encoders::CodeNumbering>& numbering : numberings) {
    SCOPED_TRACE(numbering->name());
    SiteNumbers numbers;
    const std::vector<std::uint32_t> places = test::places(numbers, kMethods, kSites);
    IdTables tables(shadowstack::anonymous_memory(), numbers, kPlenty, std::move(numbering));
    shadowstack::ThreadHeader header;
    IdProbe probe(tables, places, &header);
    const CallStream stream = {call(0, 0, 1), call(1, 2, 3)};
    const std::vector<std::uint64_t> from_root = probe.run(stream);
    for (const std::uint32_t ordinal : {1u, 7u, kRootNumbers - 1}) {
      header.word = ordinal;
      EXPECT_EQ(probe.run(stream), from_root);
      EXPECT_EQ(tables.id_of(ordinal), 0u);
      const std::uint64_t slow = tables.stats().slow_entries;
      EXPECT_EQ(probe.run(stream), from_root);
      EXPECT_EQ(tables.stats().slow_entries, slow) << "the probe finds it by then";
    }
  }
}

// A probe that is late may put a mapping of an earlier epoch into a slot.
TEST(IdTables, HaveNoMappingOfAnEarlierEpochThatFitsAWordOfTheLast) {
  SiteNumbers numbers;
  const std::vector<std::uint32_t> places = test::places(numbers, kMethods, kSites);
  IdTables tables(shadowstack::anonymous_memory(), numbers, kPlenty,
                  std::make_unique<encoders::DacceNumbering>(encoders::DacceNumberingOptions{
                      .first_edges = 10, .first_pieces = 20, .first_heat = 20}));
  shadowstack::ThreadHeader header;
  IdProbe probe(tables, places, &header);
  const auto* mapping = reinterpret_cast<const IdMapping*>(tables.mappings_address()) + 1;
  std::mt19937_64 random(3);
  probe.run(test::random_stream(random, {.calls = 20}));
  const std::uint64_t epochs = tables.stats().epochs;
  while (mapping->callee != 0 && mapping->length == 0) ++mapping;  // of calls that start pieces
  ASSERT_NE(mapping->callee, 0u);
  while (tables.stats().epochs < epochs + 3) {
    probe.run(test::random_stream(random, {.calls = 2000}));
  }
  const std::uint64_t word = probe.down(kNoSite, MethodId{1});
  const std::uint64_t code = id_mapping_code(word, encoders::SlotKind::kEpochMappings);
  EXPECT_GE(code - mapping->first, mapping->length);
}

TEST(IdTables, TellThePiecesOfAnIdAsEntriesOnAStack) {
  Program program;
  const std::uint64_t first = program.id_of_last({call(0, 0, 1)});
  EXPECT_EQ(program.tables().stack(first).entries, 0u);
  const std::uint64_t third = program.id_of_last({call(0, 0, 1), call(1, 1, 1), call(2, 1, 1)});
  EXPECT_EQ(program.tables().stack(third).entries, 2u)
      << "an edge that closes a cycle has no range";
  EXPECT_EQ(program.tables().stack(third).unexpected, std::nullopt) << "no graph was given";
  const SchemeFacts facts = program.tables().facts();
  const auto value = [&](std::string_view name) {
    return std::ranges::find(facts.values, name, &SchemeFact::name)->value;
  };
  EXPECT_EQ(value("breakpoints"), 2u);
  EXPECT_EQ(value("breakpoint_edges"), 1u);
  EXPECT_EQ(value("deepest_stack"), 2u);
}

TEST(IdTables, RefuseToDecodeWhatWasNeverIssued) {
  Program program;
  program.run({call(0, 0, 1)});
  EXPECT_FALSE(program.tables().decode(encoders::context_id(5000, MethodId{1})).ok());
  EXPECT_FALSE(program.tables().decode(encoders::context_id(0, MethodId{kMethods + 50})).ok());
  EXPECT_EQ(program.decoded(0), "");
}

class IdTablesOnDisk : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = testing::TempDir() + "copse_ids_XXXXXX";
    ASSERT_NE(::mkdtemp(name.data()), nullptr);
    folder_ = name;
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::string folder_;
};

TEST_F(IdTablesOnDisk, AreAFileThatDecodesEveryId) {
  std::mt19937_64 random(9);
  const CallStream stream = test::random_stream(
      random, {.calls = 8000, .methods = 6, .sites = 8, .deepest = 150, .call_chance = 0.6});
  Program program;
  const std::vector<std::uint64_t> words = program.run(stream);
  std::vector<MethodName> names(kMethods + 1);
  names[3].class_name = "pkg.Third";
  const std::string path = folder_ + "/run.ids";
  wire::SectionWriter written = program.tables().id_file(kKey);
  add_names(names, written);
  const Status saved = written.write_to(path);
  ASSERT_TRUE(saved.ok()) << saved.message();

  const Result<IdFile> file = read_id_file(path);
  ASSERT_TRUE(file.ok()) << file.message();
  EXPECT_EQ(file->numbering->name(), "segment");
  ASSERT_EQ(file->methods.size(), names.size());
  EXPECT_EQ(file->methods[3].class_name, "pkg.Third");
  TruePaths paths;
  for (std::size_t i = 0; i < stream.size(); ++i) {
    const std::uint64_t id = program.tables().id_of(words[i]);
    const Result<CallPath> decoded = file->decode(kKey.hide(id));
    ASSERT_TRUE(decoded.ok()) << decoded.message();
    ASSERT_EQ(*decoded, paths.next(stream[i])) << "call " << i;
  }
}

TEST_F(IdTablesOnDisk, SayWhyTheyCannotBeWritten) {
  Program program;
  const Status saved = program.tables().id_file(kKey).write_to(folder_ + "/none/run.ids");
  EXPECT_NE(saved.message().find(folder_ + "/none/run.ids"), std::string::npos);
}

}  // namespace
}  // namespace copse::ids
