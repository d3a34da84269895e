#include "encoders/ids/run_key.h"

#include <gtest/gtest.h>

#include <memory>
#include <random>
#include <vector>

#include "encoders/ids/id_tables.h"
#include "encoders/numbering/segment.h"
#include "support/call_streams.h"
#include "support/id_probe.h"

namespace copse::ids {
namespace {

TEST(RunKey, RevealsWhatItHid) {
  std::mt19937_64 random(1);
  for (int i = 0; i < 10000; ++i) {
    const RunKey key(random());
    const std::uint64_t id = random() >> (random() % 64);
    ASSERT_EQ(key.reveal(key.hide(id)), id) << "seed " << key.seed();
    ASSERT_EQ(RunKey(key.seed()).reveal(key.hide(id)), id) << "seed " << key.seed();
  }
}

TEST(RunKey, KeepsNoContextAtZero) {
  std::mt19937_64 random(2);
  for (int i = 0; i < 1000; ++i) {
    const RunKey key(random());
    EXPECT_EQ(key.hide(0), 0u);
    EXPECT_NE(key.hide(1), 0u);
  }
}

TEST(RunKey, IsAnotherOneEveryTime) {
  EXPECT_NE(RunKey::at_random().seed(), RunKey::at_random().seed());
}

// The same program twice: all its contexts have the same numbers, and only keys tell them apart.
TEST(RunKey, MakesIdsOfOneRunMeanNothingInAnother) {
  constexpr std::uint32_t kMethods = 40;
  constexpr std::uint32_t kSites = 8;
  SiteNumbers numbers;
  const std::vector<std::uint32_t> places = test::places(numbers, kMethods, kSites);
  IdTables tables(shadowstack::anonymous_memory(), numbers, std::uint64_t{1} << 30,
                  std::make_unique<encoders::SegmentNumbering>());
  shadowstack::ThreadHeader header;
  std::mt19937_64 random(3);
  const test::CallStream stream = test::random_stream(
      random, {.calls = 25000, .methods = kMethods, .sites = kSites, .deepest = 60});
  const std::vector<std::uint64_t> words = test::IdProbe(tables, places, &header).run(stream);
  std::uint64_t wrong = 0;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const RunKey here(seed);
    const RunKey there(seed + 1000);
    for (const std::uint64_t word : words) {
      const std::uint64_t id = here.hide(tables.id_of(word));
      ASSERT_TRUE(tables.decode(here.reveal(id)).ok());
      if (tables.decode(there.reveal(id)).ok()) ++wrong;
    }
  }
  EXPECT_EQ(wrong, 0u) << "of half a million";
}

}  // namespace
}  // namespace copse::ids
