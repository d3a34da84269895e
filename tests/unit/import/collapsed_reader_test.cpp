#include "import/samples_reader.h"

#include <gtest/gtest.h>

#include "support/expect_fault.h"
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

// The same with frames of every kind.
Lines read_every_frame(std::string_view text) {
  const Result<SampledStacks> stacks = samples_of(text, {}, FrameReading::kAll);
  return stacks.ok() ? lines_of(*stacks, 0) : Lines{stacks.message()};
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
  EXPECT_FAULT(samples_of("a.B.main 1\na.B.main x\n"), kMalformed, "samples: line 2: ");
  EXPECT_FAULT(samples_of("a.B.main\n"), kMalformed, "samples: line 1: ");
  EXPECT_FAULT(samples_of("5\n"), kMalformed, "samples: line 1: ");
  EXPECT_FAULT(samples_of("a.B.main 18446744073709551616\n"), kMalformed, "samples: line 1: ");
  EXPECT_FAULT(samples_of("a.B.main 18446744073709551615\na.B.run 1\n"), kMalformed,
               "samples: line 2: ");
  EXPECT_FAULT(samples_of("# nothing but a comment\n"), kMalformed, "samples: ");
}

// Reads it as the second line.
Result<SampledStacks> read_line(const std::string& line) {
  return samples_of("a.B.first 1\n" + line + "\n");
}

// As difffolded.pl writes them, and with other numbers and blanks.
TEST(CollapsedReader, RefusesTheDifferenceOfTwoProfiles) {
  for (const char* line : {"f 3 5", "a;b 31 33", "f 0 5", "f 3 0", "f\t3\t5", "f  3   5", " 3 5",
                           "a.B.main:3;a.B.run 3 5", "f 3.5 5", "f 3. 5", "f -3 5", "f +3 5",
                           "f 1e3 5", "f 3 5 7", "[main tid=12] 3 5", "f_[j] 3 5"}) {
    EXPECT_FAULT(read_line(line), kMalformed, "samples: line 2: ", "two counts") << line;
  }
  for (const char* line : {"a.B.main -1", "a.B.main -3.5"}) {
    EXPECT_FAULT(read_line(line), kMalformed, "samples: line 2: ", "below 0") << line;
  }
}

TEST(CollapsedReader, TakesNumbersInNamesThatAreNoCounts) {
  for (const char* line : {"[worker 3] 5", "a.B.f 3;a.B.g 5", "3;4 5", "a.B.f3 5", "a.B.sum(2 3) 5",
                           "a.B.f 3rd 5", "a.B.f\\u00203 5"}) {
    EXPECT_TRUE(read_line(line).ok()) << line;
  }
  EXPECT_EQ(read("a.B.sum(int 2);a.B.f\\u00203 5\n"), (Lines{"a.B.sum;a.B.f 3 5"}));
}

TEST(CollapsedReader, TakesWholeNumbersForCounts) {
  EXPECT_EQ(read("a.B.main 5.0\na.B.main 7.\na.B.main 007\n"), (Lines{"a.B.main 19"}));
  for (const char* count : {"5.5", "0.25", ".5", "1e3", "5.0e1"}) {
    EXPECT_FAULT(read_line("a.B.main " + std::string(count)), kMalformed, "whole number") << count;
  }
  for (const char* count : {"+5", "0x10", "1,000", "5%", "NaN", "--5", "5-", "5..0", "."}) {
    EXPECT_FAULT(read_line("a.B.main " + std::string(count)), kMalformed, "samples: line 2: ")
        << count;
  }
}

TEST(CollapsedReader, TakesBlanksTabsAndEmptyLines) {
  EXPECT_EQ(read("\r\n  \t\r\na.B.main;a.B.run\t3\r\n a.B.main;a.B.run  4 \t\r\n\n"),
            (Lines{"a.B.main;a.B.run 7"}));
}

TEST(CollapsedReader, SkipsComments) {
  EXPECT_EQ(read("# a comment\n#\n#\twith 5\n# total 5\na.B.main 1\n"), (Lines{"a.B.main 1"}));
  EXPECT_EQ(read_every_frame("#<Class:1>.run;b 5\n"), (Lines{".#<Class:1>.run;.b 5"}));
  EXPECT_EQ(read_every_frame("\\u0023 odd;b 5\n"), (Lines{".# odd;.b 5"}));
}

TEST(CollapsedReader, DropsTheMarkOfUtf8AtTheStartOfAnyLine) {
  EXPECT_EQ(read("\xef\xbb\xbf"
                 "a.B.main 1\n"
                 "\xef\xbb\xbf"
                 "a.B.main 2\n"),
            (Lines{"a.B.main 3"}));
}

TEST(CollapsedReader, NamesFramesThatHaveNoName) {
  for (const char* line : {"a.B.f;;a.B.g 5\n", "a.B.f; ;a.B.g 5\n", "a.B.f;\t;a.B.g 5\n"}) {
    EXPECT_EQ(read_every_frame(line), (Lines{"a.B.f;.(unnamed);a.B.g 5"})) << line;
    EXPECT_EQ(read(line), (Lines{"a.B.f;a.B.g 5"})) << line;
  }
  EXPECT_EQ(read_every_frame(";a.B.f 5\n"), (Lines{".(unnamed);a.B.f 5"}));
  EXPECT_EQ(read_every_frame("a.B.f; 5\n"), (Lines{"a.B.f;.(unnamed) 5"}));
  EXPECT_EQ(read_every_frame("; 5\n"), (Lines{".(unnamed);.(unnamed) 5"}));
}

// As stackcollapse-bpftrace.pl writes it.
TEST(CollapsedReader, TakesALineWithoutFramesForASampleWithoutAStack) {
  EXPECT_EQ(read_every_frame(" 5\n\t6\n"), (Lines{"... 11"}));
}

TEST(CollapsedReader, LeavesTheKindOfCodeOut) {
  EXPECT_EQ(read_every_frame("a/B.main_[0];a/B.run_[j];a/B.c1_[1];a/B.in_[i];sys_read_[k] 2\n"),
            (Lines{"a.B.main;a.B.run;a.B.c1;a.B.in;.sys_read_[k] 2"}));
}

TEST(CollapsedReader, IsNotGivenWhatIsNoText) {
  EXPECT_EQ(read(""), (Lines{"samples: is empty"}));
  EXPECT_EQ(read(std::string_view("\xff\x00\x01", 3)),
            (Lines{"samples: is none of what is read: collapsed stacks, a flight recording, or a "
                   "profile of pprof"}));
}

}  // namespace
}  // namespace copse::join
