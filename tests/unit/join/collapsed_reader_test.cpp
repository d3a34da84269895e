#include "join/collapsed_reader.h"

#include <gtest/gtest.h>

#include "support/text_samples.h"

namespace copse::join {
namespace {

using Lines = std::vector<std::string>;
using testing::lines_of;
using testing::samples_of;

Lines read(std::string_view text) {
  const Result<SampledStacks> stacks = samples_of(text);
  if (!stacks.ok()) return {stacks.message()};
  EXPECT_EQ(stacks->values().size(), 1u);
  EXPECT_EQ(stacks->values()[0].unit, "samples");
  return lines_of(*stacks, 0);
}

TEST(CollapsedReader, AddsEqualStacks) {
  EXPECT_EQ(read("a.B.main;a.B.run 3\na.B.main 1\na.B.main;a.B.run 4\n"),
            (Lines{"a.B.main 1", "a.B.main;a.B.run 7"}));
}

TEST(CollapsedReader, KeepsFramesOfJavaAlone) {
  EXPECT_EQ(read("[main tid=12];start_thread;a/B.main_[0];Unsafe_Park;futex_[k] 2\n"),
            (Lines{"a.B.main 2"}));
  EXPECT_EQ(read("[GC tid=1];work_loop 9\n"), (Lines{" 9"}));
}

TEST(CollapsedReader, ForgetsWhereTheInnermostFrameWas) {
  EXPECT_EQ(read("a.B.main:3;a.B.run:7 1\na.B.main:3;a.B.run:8 1\n"),
            (Lines{"a.B.main:3;a.B.run 2"}));
}

TEST(CollapsedReader, TakesAStackForCutWhereFramesAreMissing) {
  EXPECT_EQ(read("a.B.main;[unknown_Java];a.B.run 5\n"), (Lines{"...;a.B.run 5"}));
}

TEST(CollapsedReader, ReadsWhatCopseWrites) {
  EXPECT_EQ(read("a.B.odd\\u003bname;a.B.\\u005cslash 1\n"), (Lines{"a.B.odd;name;a.B.\\slash 1"}));
  EXPECT_EQ(read("a.B.\\uXYZ 1\n"), (Lines{"a.B.\\uXYZ 1"}));
}

TEST(CollapsedReader, TakesALastLineWithoutEndAndLinesOfOtherSystems) {
  EXPECT_EQ(read("\r\na.B.main 1\r\n\na.B.run 2"), (Lines{"a.B.main 1", "a.B.run 2"}));
}

TEST(CollapsedReader, FollowsLinesThroughBlocks) {
  std::string deep;
  for (int i = 0; i < 3500; ++i) deep += "a.B.deep:" + std::to_string(i) + ";";
  const Lines lines = read("a.B.main 1\n" + deep + "a.B.end 5\n" + deep + "a.B.end 6");
  ASSERT_EQ(lines.size(), 2u);
  EXPECT_TRUE(lines[1].ends_with(";a.B.end 11"));
}

TEST(CollapsedReader, SaysWhichLineIsWrong) {
  EXPECT_EQ(read("a.B.main 1\na.B.main x\n"), (Lines{"samples: line 2: does not end in a count"}));
  EXPECT_EQ(read("a.B.main\n"), (Lines{"samples: line 1: is no stack with a count behind it"}));
  EXPECT_EQ(read("a.B.main -1"), (Lines{"samples: line 1: does not end in a count"}));
  EXPECT_EQ(read("a.B.main 18446744073709551616\n"),
            (Lines{"samples: line 1: its count does not fit 64 bits"}));
  EXPECT_EQ(read("a.B.main 18446744073709551615\na.B.run 1\n"),
            (Lines{"samples: line 2: the sum of its samples does not fit 64 bits"}));
}

TEST(CollapsedReader, IsNotGivenWhatIsNoText) {
  EXPECT_EQ(read(""), (Lines{"samples: is empty"}));
  EXPECT_EQ(read(std::string_view("\xff\x00\x01", 3)),
            (Lines{"samples: is none of what is read: collapsed stacks, a flight recording, or a "
                   "profile of pprof"}));
}

}  // namespace
}  // namespace copse::join
