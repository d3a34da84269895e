#include "encoders/study/sampler.h"

#include <gtest/gtest.h>

namespace copse::study {
namespace {

std::vector<std::uint64_t> positions(Sampler sampler) {
  std::vector<std::uint64_t> all;
  for (const Sample& sample : std::move(sampler).take()) all.push_back(sample.position);
  return all;
}

TEST(Sampler, TakesEveryKthCallWhenAsked) {
  SampleOptions options;
  options.every = 3;
  Sampler sampler(options);
  for (std::uint64_t i = 1; i <= 10; ++i) sampler.at_call({i, 0, 0});
  EXPECT_EQ(positions(std::move(sampler)), (std::vector<std::uint64_t>{3, 6, 9}));
}

TEST(Sampler, DoublesItsPeriodWhereNoneIsGiven) {
  SampleOptions options;
  options.most = 4;
  Sampler sampler(options);
  for (std::uint64_t i = 1; i <= 17; ++i) sampler.at_call({i, 0, 0});
  EXPECT_EQ(sampler.calls().period(), 4u);
  EXPECT_EQ(positions(std::move(sampler)), (std::vector<std::uint64_t>{4, 8, 12, 16}));
}

TEST(Sampler, DoublesItsPeriodWhereContextsAreDeep) {
  SampleOptions options;
  options.most_frames = 1000;
  Sampler sampler(options);
  for (std::uint32_t i = 1; i <= 100; ++i) sampler.at_call({i, 0, 0, 100});
  EXPECT_EQ(sampler.calls().period(), 16u);
  EXPECT_EQ(positions(std::move(sampler)), (std::vector<std::uint64_t>{16, 32, 48, 64, 80, 96}));
}

TEST(Sampler, KeepsOneOfAContextThatIsTooDeep) {
  SampleOptions options;
  options.most_frames = 1000;
  Sampler sampler(options);
  for (std::uint32_t i = 1; i <= 9; ++i) sampler.at_call({i, 0, 0, 5000});
  EXPECT_EQ(positions(std::move(sampler)).size(), 1u);
}

TEST(Sampler, TakesEveryKthCallOfContextsHoweverDeep) {
  SampleOptions options;
  options.every = 3;
  options.most_frames = 1;
  Sampler sampler(options);
  for (std::uint32_t i = 1; i <= 7; ++i) sampler.at_call({i, 0, 0, 5000});
  EXPECT_EQ(positions(std::move(sampler)), (std::vector<std::uint64_t>{3, 6}));
}

TEST(Sampler, GivesEachPositionOnceInOrder) {
  SampleOptions options;
  options.every = 2;
  Sampler sampler(options);
  for (std::uint64_t i = 1; i <= 4; ++i) sampler.at_call({i, 0, 0});
  for (const std::uint64_t i : {1u, 2u}) sampler.at_mark({i, 0, 0});
  EXPECT_EQ(positions(std::move(sampler)), (std::vector<std::uint64_t>{1, 2, 4}));
}

TEST(Sampler, DrawsRandomOperationsFromTheWholeStreamByItsSeed) {
  const auto drawn = [](std::uint64_t seed) {
    SampleOptions options;
    options.random_count = 100;
    options.seed = seed;
    Sampler sampler(options);
    for (std::uint64_t i = 1; i <= 10'000; ++i) sampler.at_operation({i, 0, 0});
    return positions(std::move(sampler));
  };
  EXPECT_EQ(drawn(1), drawn(1));
  EXPECT_NE(drawn(1), drawn(2));
  const std::vector<std::uint64_t> some = drawn(1);
  EXPECT_EQ(some.size(), 100u);
  EXPECT_LT(some.front(), 1000u);
  EXPECT_GT(some.back(), 9000u);
}

}  // namespace
}  // namespace copse::study
