#include "encoders/ids/thread_origins.h"

#include <gtest/gtest.h>

#include <vector>

namespace copse::ids {
namespace {

ThreadOrigin origin(std::int64_t thread, std::int64_t starter, std::uint64_t id) {
  return {thread, starter, id, SiteOrdinal{static_cast<std::uint16_t>(id)}};
}

TEST(ThreadOrigins, LeadFromTheFirstThreadToTheAskedOne) {
  ThreadOrigins origins;
  origins.add(origin(20, 1, 5));
  origins.add(origin(21, 1, 6));
  origins.add(origin(7, 21, 7));
  EXPECT_EQ(origins.leading_to(7), (std::vector{origin(21, 1, 6), origin(7, 21, 7)}));
  EXPECT_EQ(origins.leading_to(20), (std::vector{origin(20, 1, 5)}));
  EXPECT_TRUE(origins.leading_to(1).empty());
  EXPECT_TRUE(origins.leading_to(0).empty());
}

TEST(ThreadOrigins, KeepTheFirstStartOfAThread) {
  ThreadOrigins origins;
  origins.add(origin(20, 1, 5));
  origins.add(origin(20, 1, 6));
  EXPECT_EQ(origins.count(), 1u);
  EXPECT_EQ(origins.leading_to(20), (std::vector{origin(20, 1, 5)}));
}

TEST(ThreadOrigins, EndWhereAThreadHasStartedItsOwnStarter) {
  ThreadOrigins origins;
  origins.add(origin(20, 21, 5));
  origins.add(origin(21, 20, 6));
  origins.add(origin(22, 22, 7));
  EXPECT_EQ(origins.leading_to(21), (std::vector{origin(20, 21, 5), origin(21, 20, 6)}));
  EXPECT_EQ(origins.leading_to(20), (std::vector{origin(20, 21, 5)}));
  EXPECT_EQ(origins.leading_to(22), (std::vector{origin(22, 22, 7)}));
}

TEST(ThreadOrigins, AreReadAsTheyWereWritten) {
  ThreadOrigins origins;
  origins.add(origin(20, 1, 1ull << 63));
  origins.add(origin(21, 20, 0));
  wire::StateWriter out;
  origins.save(out);
  wire::StateReader in(out.bytes(), 0);
  ThreadOrigins read;
  read.load(in);
  EXPECT_TRUE(in.ok() && in.at_end());
  EXPECT_EQ(read.leading_to(21), origins.leading_to(21));
  EXPECT_EQ(read.count(), 2u);
}

TEST(ThreadOrigins, RefuseAThreadWithTwoOrigins) {
  const std::vector<std::uint8_t> bytes = {2, 20, 1, 5, 0, 20, 1, 5, 0};
  wire::StateReader in(bytes, 0);
  ThreadOrigins().load(in);
  EXPECT_FALSE(in.ok());
}

TEST(ThreadOrigins, CountThreadsBeyondTheMost) {
  ThreadOrigins origins;
  const auto most = static_cast<std::int64_t>(ThreadOrigins::kMost);
  for (std::int64_t thread = 1; thread <= most + 3; ++thread) origins.add(origin(thread, 0, 1));
  EXPECT_EQ(origins.count(), ThreadOrigins::kMost);
  EXPECT_EQ(origins.not_kept(), 3u);
}

}  // namespace
}  // namespace copse::ids
