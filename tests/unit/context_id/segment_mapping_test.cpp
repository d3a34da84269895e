// SegmentEncoder for encoders that keep their threads' codes themselves: mapping() beside call().
#include <gtest/gtest.h>

#include <random>
#include <string>

#include "encoders/segment.h"
#include "support/call_streams.h"
#include "support/id_probe.h"

namespace copse::encoders {
namespace {

using test::CallStream;

constexpr ThreadIndex kThread{0};

// Drives two encoders through a stream: one keeps its thread, of the other only mappings are asked.
struct Pair {
  explicit Pair(const SegmentOptions& options) : own(options), asked(options) {
    own.start(own.thread(kThread));
  }

  void follow(CallRecord record) {
    const CallPath& path = paths.next(record);
    SegmentEncoder::Thread& thread = own.thread(kThread);
    own.unwind(thread, static_cast<std::uint32_t>(codes.size() - path.size()));
    codes.resize(path.size());
    own.call(thread, path.back());

    const std::uint64_t code = codes.back();
    const auto known = asked.known_mapping(path.back(), code);
    const SegmentEncoder::Mapping mapping = asked.mapping(path.back(), code);
    EXPECT_LT(code - mapping.first, mapping.length);
    if (known) {
      EXPECT_TRUE(same(*known, mapping));
    }
    const auto kept = asked.known_mapping(path.back(), code);
    ASSERT_TRUE(kept);
    EXPECT_TRUE(same(*kept, mapping));
    codes.push_back(code + mapping.change);

    Token token;
    own.token(thread, token);
    const Token stored = SegmentEncoder::token_of(callee_of(path.back()), codes.back());
    ASSERT_EQ(token, stored);
    const Result<CallPath> decoded = asked.decode(stored);
    ASSERT_TRUE(decoded.ok()) << decoded.message();
    ASSERT_EQ(*decoded, path);
  }

  static bool same(const SegmentEncoder::Mapping& a, const SegmentEncoder::Mapping& b) {
    return a.first == b.first && a.length == b.length && a.change == b.change;
  }

  SegmentEncoder own;
  SegmentEncoder asked;
  test::TruePaths paths;
  std::vector<std::uint64_t> codes = {0};  // of ROOT and the live frames
};

struct Setting {
  const char* name;
  SegmentOptions options;
  bool makes_singles;
};

class SegmentMapping : public testing::TestWithParam<Setting> {};

TEST_P(SegmentMapping, GivesTheCodesThatCallsGive) {
  std::uint64_t singles = 0;
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937_64 random(seed);
    const CallStream stream =
        seed % 3 == 0 ? test::recursive_stream(random, 150, 6)
                      : test::random_stream(random, {.calls = 2000, .methods = 12, .deepest = 40});
    Pair pair(GetParam().options);
    for (const CallRecord record : stream) {
      pair.follow(record);
      if (HasFatalFailure()) return;
    }
    EXPECT_EQ(pair.own.record_count(), pair.asked.record_count());
    EXPECT_EQ(pair.own.largest_code(), pair.asked.largest_code());
    singles += pair.asked.single_count();
  }
  EXPECT_EQ(singles != 0, GetParam().makes_singles);
}

INSTANTIATE_TEST_SUITE_P(
    Options, SegmentMapping,
    testing::Values(Setting{"Usual", {}, true},
                    Setting{"OfIds", {.max_codes = std::uint64_t{1} << 39}, true},
                    Setting{"ShortSegments", {.longest = 5, .reserve = 2}, true},
                    Setting{"FewCodes", {.max_codes = 100}, true},
                    Setting{"OnlySingles", {.max_codes = 1}, true},
                    Setting{"Plain", SegmentOptions::plain(), true}),
    [](const auto& setting) { return std::string(setting.param.name); });

TEST(SegmentMapping, IsNotKnownBeforeItIsMade) {
  SegmentEncoder encoder;
  const EdgeKey main = entry_edge(MethodId{1});
  const EdgeKey next = edge_key({MethodId{1}, SiteOrdinal{2}}, MethodId{2});
  EXPECT_EQ(encoder.known_mapping(main, 0), std::nullopt);
  EXPECT_EQ(encoder.record_count(), 0u);
  encoder.mapping(main, 0);
  EXPECT_NE(encoder.known_mapping(main, 0), std::nullopt);
  EXPECT_EQ(encoder.known_mapping(next, 0), std::nullopt);
  encoder.mapping(next, 0);
  EXPECT_NE(encoder.known_mapping(next, 0), std::nullopt);
  EXPECT_EQ(encoder.record_count(), 2u);
}

TEST(SegmentMapping, OfASingleCodeIsNotKnownForItsNeighbour) {
  SegmentEncoder encoder({.max_codes = 1});
  const EdgeKey main = entry_edge(MethodId{1});
  const EdgeKey other_main = edge_key({MethodId{1}, SiteOrdinal{1}}, MethodId{1});
  const EdgeKey next = edge_key({MethodId{1}, SiteOrdinal{2}}, MethodId{2});
  encoder.mapping(main, 0);
  const std::uint64_t second = encoder.mapping(other_main, 0).change;
  EXPECT_EQ(second, 1u);
  encoder.mapping(next, second);
  EXPECT_NE(encoder.known_mapping(next, second), std::nullopt);
  EXPECT_EQ(encoder.known_mapping(next, second + 1), std::nullopt);
}

TEST(SegmentMapping, GetsLongerAndKeepsWhatItSaid) {
  SegmentEncoder encoder({.reserve = 0});
  const EdgeKey main = entry_edge(MethodId{1});
  const EdgeKey again = edge_key({MethodId{1}, SiteOrdinal{1}}, MethodId{1});
  const EdgeKey next = edge_key({MethodId{1}, SiteOrdinal{2}}, MethodId{2});
  encoder.mapping(main, 0);
  const SegmentEncoder::Mapping before = encoder.mapping(next, 0);
  const std::uint64_t code = encoder.mapping(again, 0).change;
  const SegmentEncoder::Mapping after = encoder.mapping(next, code);
  EXPECT_EQ(after.first, before.first);
  EXPECT_EQ(after.change, before.change);
  EXPECT_GT(after.length, before.length);
  EXPECT_EQ(encoder.record_count(), 3u);
}

}  // namespace
}  // namespace copse::encoders
