#include "base/normal_names.h"

#include <gtest/gtest.h>

namespace copse {
namespace {

TEST(ThreadGroup, HasAStarForEachNumber) {
  EXPECT_EQ(thread_group("main"), "main");
  EXPECT_EQ(thread_group("pool-1-thread-17"), "pool-*-thread-*");
  EXPECT_EQ(thread_group("[pool-*-thread-*]"), "[pool-*-thread-*]");
  EXPECT_EQ(thread_group("20261128"), "*");
  EXPECT_EQ(thread_group(""), "");
}

TEST(ThreadGroup, HasAStarForARandomId) {
  EXPECT_EQ(thread_group("job-2db68196-aeb6-4711-ba69-f6686ba6c013"), "job-*");
  EXPECT_EQ(thread_group("job-abcdefab-abcd-abcd-abcd-abcdefabcdef"), "job-*") << "without a digit";
  EXPECT_EQ(thread_group("job-2db68196-aeb6-4711-ba69-f6686ba6c01"), "job-*-aeb*-*-ba*-*");
  EXPECT_EQ(thread_group("w48b946d7"), "w*");
  EXPECT_EQ(thread_group("[w48b946d7 of 0A1B2C3D4E]"), "[w* of *]");
  EXPECT_EQ(thread_group("48b946d7-1"), "*-*");
}

TEST(ThreadGroup, KeepsWords) {
  EXPECT_EQ(thread_group("facade2026"), "facade*") << "no letter behind a digit";
  EXPECT_EQ(thread_group("deadbeef"), "deadbeef");
  EXPECT_EQ(thread_group("db1a-2"), "db*a-*") << "too short for an id";
}

}  // namespace
}  // namespace copse
