#include "agent/method_filter.h"

#include <gtest/gtest.h>

namespace copse::agent {
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

TEST(MethodFilter, AGlobThatOnlyAMethodMatchesIsInUse) {
  const MethodFilter filter({"a.B.f", "a.B.g"}, {"a.B.h"});
  filter.classify("a.B");
  EXPECT_EQ(filter.include().unused().size(), 2u);
  EXPECT_TRUE(filter.includes_method("a.B", "f"));
  EXPECT_EQ(filter.include().unused(), (std::vector<std::string>{"a.B.g"}));
  EXPECT_EQ(filter.exclude().unused(), (std::vector<std::string>{"a.B.h"}));
}

TEST(MethodFilter, WithoutGlobsTakesEverything) {
  const MethodFilter filter;
  EXPECT_EQ(filter.classify("a.B"), MethodFilter::ClassVerdict::kAll);
  EXPECT_TRUE(filter.includes_method("a.B", "f"));
}

TEST(MethodFilter, IncludeCanNameAMethod) {
  const MethodFilter filter({"a.B.f*"}, {});
  EXPECT_EQ(filter.classify("a.B"), MethodFilter::ClassVerdict::kSome);
  EXPECT_TRUE(filter.includes_method("a.B", "foo"));
  EXPECT_FALSE(filter.includes_method("a.B", "g"));
}

TEST(MethodFilter, ExcludeWinsOverInclude) {
  const MethodFilter filter({"a.**"}, {"a.b.*", "a.C.get*"});
  EXPECT_EQ(filter.classify("a.b.D"), MethodFilter::ClassVerdict::kNone);
  EXPECT_FALSE(filter.includes_method("a.C", "getX"));
  EXPECT_TRUE(filter.includes_method("a.C", "setX"));
}

}  // namespace
}  // namespace copse::agent
