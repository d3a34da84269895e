#include "report/display_names.h"

#include <gtest/gtest.h>

namespace copse::report {
namespace {

TEST(DisplayNames, NeverShowsASmallPartAsNothing) {
  EXPECT_EQ(percent(1, 1'000'000), "<0.1 %");
  EXPECT_EQ(percent(0, 10), "0.0 %");
  EXPECT_EQ(percent(10, 10), "100.0 %");
  EXPECT_EQ(percent(0, 0), "");
}

TEST(DisplayNames, ReadsParameterLists) {
  EXPECT_EQ(parameter_list("()V"), "()");
  EXPECT_EQ(parameter_list("(ILjava/lang/String;[[J[Lp/C$D;)V"), "(int, String, long[][], C$D[])");
}

TEST(DisplayNames, LeavesWhatIsNoDescriptor) {
  for (const char* text : {"", "(", "(I", "(Lx", "(Q)V", "([)V", "name"}) {
    EXPECT_EQ(parameter_list(text), text);
  }
}

TEST(DisplayNames, ShowsParametersOnlyOfOverloads) {
  ReportModel::Methods methods;
  methods.class_name = {"p.A", "p.A", "p.A"};
  methods.name = {"f", "f", "g"};
  methods.descriptor = {"(I)V", "()V", "(I)V"};
  const DisplayNames names(methods);
  EXPECT_EQ(names.method(0), "p.A.f(int)");
  EXPECT_EQ(names.method(1), "p.A.f()");
  EXPECT_EQ(names.method(2), "p.A.g");
}

TEST(DisplayNames, KeepsTheEndOfALongName) {
  EXPECT_EQ(fitted("pkg.Class.method", 16), "pkg.Class.method");
  EXPECT_EQ(fitted("pkg.Class.method", 12), "...ss.method");
  EXPECT_EQ(fitted("ääää.öööö", 8), "....öööö");  // counted in characters, not bytes
}

}  // namespace
}  // namespace copse::report
