#include "agent/method_filter.h"

#include <gtest/gtest.h>

namespace copse::agent {
namespace {

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
