#include "base/glob.h"

#include <gtest/gtest.h>

#include <utility>

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

// Asks a list, and each glob by itself.
template <typename AskList, typename AskGlob>
void expect_same(const std::string& what, const AskList& ask_list, const AskGlob& ask_glob) {
  const std::vector<std::string> globs = {"a.B",   "B",        "B.run", "a.B.run",    "Outer$Inner",
                                          "Inner", "Inner.go", "a.**",  "*.run",      "B",
                                          "run",   "**",       "a.*",   "$Inner",     "a.Out",
                                          "",      "*",        "Deep",  "Inner$Deep", "Deep.go"};
  const GlobList list(globs);
  std::vector<std::string> unused;
  for (const std::string& glob : globs) {
    if (!ask_glob(glob)) unused.push_back(glob);
  }
  EXPECT_EQ(ask_list(list), unused.size() < globs.size()) << what;
  EXPECT_EQ(list.unused(), unused) << what;
}

TEST(GlobList, SaysWhatEachOfItsGlobsSays) {
  for (const std::string name : {"a.B", "B", "a.Outer$Inner", "x.Outer$Inner$Deep", "a.B$", ""}) {
    expect_same(
        name, [&](const GlobList& list) { return list.matches(name); },
        [&](const std::string& glob) { return glob_matches(glob, name); });
    expect_same(
        "class " + name, [&](const GlobList& list) { return list.name_class(name); },
        [&](const std::string& glob) { return glob_names_class(glob, name); });
    for (const std::string method : {"run", "go", "B", ""}) {
      expect_same(
          name + "." + method, [&](const GlobList& list) { return list.name_method(name, method); },
          [&](const std::string& glob) { return glob_names_method(glob, name, method); });
    }
  }
}

TEST(Glob, RenamesWhatItNames) {
  const auto now = [](const char* from, const char* to, const char* of_class, const char* name) {
    return glob_renamed(from, to, of_class, name).value_or("-");
  };
  EXPECT_EQ(now("a.B.f", "a.B.g", "a.B", "a.B.f"), "a.B.g");
  EXPECT_EQ(now("B.f", "B.g", "a.B", "a.B.f"), "a.B.g") << "the package stays";
  EXPECT_EQ(now("C.f", "D.f", "a.B$C", "a.B$C.f"), "a.B$D.f") << "so does the class around it";
  EXPECT_EQ(now("B.g", "B.f", "a.B", "a.B.f"), "-");
  EXPECT_EQ(now("a.**", "b.c.**", "a.x.B", "a.x.B.f"), "b.c.x.B.f");
  EXPECT_EQ(now("**.get*", "**.find*", "a.B", "a.B.getAll"), "a.B.findAll");
  EXPECT_EQ(now("*.get*By*", "*.find*With*", "a.B", "a.B.getByByName"), "a.B.findWithByName")
      << "each star takes as little as it can";
  EXPECT_EQ(now("*", "*", "B", "B"), "B");
  EXPECT_EQ(now("*.", "*.", "B", "B"), "-");
}

TEST(Glob, HasStarsInAnOrder) {
  for (const auto& [a, b] : {std::pair{"a.*.**", "*b**"}, {"x", "y"}, {"***", "**.*"}}) {
    EXPECT_TRUE(have_same_stars(a, b)) << a << " " << b;
  }
  for (const auto& [a, b] : {std::pair{"*", "**"}, {"a*", "a"}, {"a", "a*"}, {"*.**", "**.*"}}) {
    EXPECT_FALSE(have_same_stars(a, b)) << a << " " << b;
  }
}

}  // namespace
}  // namespace copse
