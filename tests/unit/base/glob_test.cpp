#include "base/glob.h"

#include <gtest/gtest.h>

namespace copse {
namespace {

TEST(Glob, StarStaysWithinASegment) {
  EXPECT_TRUE(glob_matches("org.foo.*", "org.foo.Bar"));
  EXPECT_FALSE(glob_matches("org.foo.*", "org.foo.bar.Baz"));
  EXPECT_TRUE(glob_matches("org.*.Baz", "org.foo.Baz"));
  EXPECT_FALSE(glob_matches("org.*.Baz", "org.foo.bar.Baz"));
}

TEST(Glob, StarTakesNestedClasses) {
  EXPECT_TRUE(glob_matches("org.Foo*", "org.Foo$Bar"));
  EXPECT_TRUE(glob_matches("org.Foo*", "org.Foo"));
}

TEST(Glob, DoubleStarCrossesSegments) {
  EXPECT_TRUE(glob_matches("org.**", "org.foo.bar.Baz"));
  EXPECT_TRUE(glob_matches("**.Baz", "org.foo.bar.Baz"));
  EXPECT_TRUE(glob_matches("org.**.B*z", "org.foo.bar.Baz"));
  EXPECT_FALSE(glob_matches("org.**.Q", "org.foo.bar.Baz"));
}

TEST(Glob, BacktracksOverBothStars) {
  EXPECT_TRUE(glob_matches("**a*b", "xa.ya1b"));
  EXPECT_TRUE(glob_matches("*aab", "aaaab"));
  EXPECT_FALSE(glob_matches("*aab.", "aaaab"));
  EXPECT_TRUE(glob_matches("**", ""));
  EXPECT_FALSE(glob_matches("", "a"));
}

TEST(GlobList, KnowsEachGlobThatMatchedNothing) {
  const GlobList globs({"a.**", "a.B", "c.*", "d"});
  EXPECT_EQ(globs.unused().size(), 4u);
  EXPECT_TRUE(globs.matches("a.B"));  // by two of them
  EXPECT_FALSE(globs.matches("x"));
  EXPECT_EQ(globs.unused(), (std::vector<std::string>{"c.*", "d"}));
  EXPECT_TRUE(globs.matches("a.C"));
  EXPECT_TRUE(globs.matches("d"));
  EXPECT_EQ(globs.unused(), (std::vector<std::string>{"c.*"}));
}

}  // namespace
}  // namespace copse
