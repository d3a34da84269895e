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

TEST(Glob, NamesAClassWithItsPackageOrWithout) {
  for (const char* glob : {"org.foo.Bar", "Bar", "B*", "org.**", "**.Bar", "org.*.Bar"}) {
    EXPECT_TRUE(glob_names_class(glob, "org.foo.Bar")) << glob;
  }
  for (const char* glob : {"foo.Bar", "ar", "org.foo", "bar", "Bar.x", ""}) {
    EXPECT_FALSE(glob_names_class(glob, "org.foo.Bar")) << glob;
  }
  EXPECT_TRUE(glob_names_class("Bar", "Bar"));
  EXPECT_FALSE(glob_names_class("**", "")) << "there is no class";
}

TEST(Glob, NamesANestedClassWithoutThoseAroundIt) {
  for (const char* glob : {"a.Outer$Mid$In", "Outer$Mid$In", "Mid$In", "In", "Outer*"}) {
    EXPECT_TRUE(glob_names_class(glob, "a.Outer$Mid$In")) << glob;
  }
  EXPECT_FALSE(glob_names_class("Mid", "a.Outer$Mid$In"));
  for (const char* odd : {"a.$", "$", "a.B$", "a.$B", "a."}) {
    EXPECT_TRUE(glob_names_class(odd, odd)) << odd;
    EXPECT_FALSE(glob_names_class("", odd)) << odd;
  }
}

TEST(Glob, NamesAMethodByItsClassOrItself) {
  for (const char* glob :
       {"a.Out$In.run", "Out$In.run", "In.run", "In", "a.Out$In", "*.run", "**"}) {
    EXPECT_TRUE(glob_names_method(glob, "a.Out$In", "run")) << glob;
  }
  for (const char* glob : {"run", "Out.run", "a.run", "In.r"}) {
    EXPECT_FALSE(glob_names_method(glob, "a.Out$In", "run")) << glob;
  }
  EXPECT_TRUE(glob_names_method("(evicted)", "", "(evicted)"));
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
