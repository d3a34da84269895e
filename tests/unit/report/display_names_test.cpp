#include "report/model/display_names.h"

#include <gtest/gtest.h>

#include <iterator>
#include <random>
#include <string>
#include <utility>

#include "support/small_report.h"

namespace copse::report {
namespace {

TEST(DisplayNames, LeavesOutPackagesOfWhatIsNoMethodWhereRoomIsScarce) {
  EXPECT_EQ(without_packages("throw a.b.Missing at a.b.Store$Inner.find:31"),
            "throw Missing at Store$Inner.find:31");
  EXPECT_EQ(without_packages("new byte[]"), "new byte[]");
  EXPECT_EQ(without_packages("park java.util.X[]"), "park X[]");
  EXPECT_EQ(without_packages("(no recorded caller)"), "(no recorded caller)");
  for (const char* thread :
       {"[com.acme.Pool worker]", "[Acceptor tcp://10.0.0.1:8080]", "[*.*:*@*]"})
    EXPECT_EQ(without_packages(thread), thread);
  EXPECT_EQ(without_packages("new lower.case"), "new lower.case");
  EXPECT_EQ(without_packages(""), "");
  ReportModel::Methods methods;
  for (const char* const name : {"throw a.b.Missing at a.b.Store.find:31", "find"}) {
    methods.class_name.emplace_back(*name == 'f' ? "a.b.Store" : "");
    methods.name.emplace_back(name);
    methods.descriptor.emplace_back(*name == 'f' ? "()V" : "");
  }
  const DisplayNames names(methods);
  EXPECT_EQ(names.method(0, 38), "throw a.b.Missing at a.b.Store.find:31");
  EXPECT_EQ(names.method(0, 37), "throw Missing at Store.find:31");
  EXPECT_EQ(names.method(0, 20), "throw Missing");
}

TEST(DisplayNames, CutParametersThenPackagesThenTheEnclosingClass) {
  testing::SmallReport report;
  const std::int32_t call =
      report.method("org.acme.site.Cache$Site", "call", "(IJLjava/lang/String;)V");
  report.method("org.acme.site.Cache$Site", "call", "()V");
  const DisplayNames names(report.model.methods);
  EXPECT_EQ(names.method(call, 60), "org.acme.site.Cache$Site.call(int, long, String)");
  EXPECT_EQ(names.method(call, 47), "org.acme.site.Cache$Site.call(int, long, ...)");
  EXPECT_EQ(names.method(call, 40), "org.acme.site.Cache$Site.call(int, ...)");
  EXPECT_EQ(names.method(call, 34), "org.acme.site.Cache$Site.call(...)");
  EXPECT_EQ(names.method(call, 30), "...e.site.Cache$Site.call(...)");
  EXPECT_EQ(names.method(call, 24), "Cache$Site.call(...)");
  EXPECT_EQ(names.method(call, 19), "Site.call(...)");
  EXPECT_EQ(names.method(call, 13), "Site.call");
  EXPECT_EQ(names.method(call, 8), "....call");
  EXPECT_EQ(names.method(call + 1, 28), "...me.site.Cache$Site.call()");
  EXPECT_EQ(names.least_width(call), 9u);
  for (std::size_t width = 4; width < 60; ++width)
    EXPECT_LE(names.method(call, width).size(), width);
}

TEST(DisplayNames, KeepTheNumberOfAnAnonymousClassWithTheClassAroundIt) {
  EXPECT_EQ(innermost_class("a.Outer$Inner"), "Inner");
  EXPECT_EQ(innermost_class("a.Outer$1"), "Outer$1");
  EXPECT_EQ(innermost_class("a.Outer"), "Outer");
  EXPECT_EQ(innermost_class("byte[]"), "byte[]");
}

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

TEST(DisplayNames, HasTheShortestSignatureThatNoOtherMethodOfTheNameHas) {
  ReportModel::Methods methods;
  for (const char* descriptor : {"(I)V", "(La/Id;)V", "(I)V", "(Lb/Id;)V", "(J)La/Key;",
                                 "(J)Lb/Key;", "(J)V", "(Lint;)V", "(D)V"}) {
    methods.class_name.emplace_back("p.A");
    methods.name.emplace_back("f");
    methods.descriptor.emplace_back(descriptor);
  }
  const DisplayNames names(methods);
  const char* const expected[] = {"(I)V",         "(a.Id)",        "(I)V",
                                  "(b.Id)",       "(long): a.Key", "(long): b.Key",
                                  "(long): void", "(Lint;)V",      "(double)"};
  for (std::size_t row = 0; row < methods.name.size(); ++row) {
    EXPECT_EQ(names.plain(static_cast<std::int32_t>(row)), std::string("p.A.f") + expected[row]);
  }
}

TEST(DisplayNames, KeepsTheFirstWordWhereTheRestIsCut) {
  EXPECT_EQ(fitted_behind_word("park Lock$ConditionObject", 25), "park Lock$ConditionObject");
  EXPECT_EQ(fitted_behind_word("park Lock$ConditionObject", 20), "park ...ditionObject");
  EXPECT_EQ(fitted_behind_word("park Lock", 5), "...ck");
  EXPECT_EQ(fitted_behind_word("start_thread", 10), "..._thread");
}

TEST(DisplayNames, KeepsTheEndOfALongName) {
  EXPECT_EQ(fitted("pkg.Class.method", 16), "pkg.Class.method");
  EXPECT_EQ(fitted("pkg.Class.method", 12), "...ss.method");
  EXPECT_EQ(fitted("ääää.öööö", 8), "....öööö");  // counted in characters, not bytes
}

TEST(DisplayNames, CutAnEventsPackagesThenItsPlaceThenTheBeginningOfItsClass) {
  testing::SmallReport report;
  const std::int32_t row = report.method(
      "", "throw java.lang.NumberFormatException at java.lang.Integer.parseInt:678", "", "");
  const std::int32_t plain = report.method("com.acme.Store", "find");
  const DisplayNames names(report.model.methods);
  EXPECT_EQ(names.method(row, 80),
            "throw java.lang.NumberFormatException at java.lang.Integer.parseInt:678");
  EXPECT_EQ(names.method(row, 60), "throw NumberFormatException at Integer.parseInt:678");
  EXPECT_EQ(names.method(row, 34), "throw NumberFormatException");
  EXPECT_EQ(names.method(row, 24), "throw ...FormatException");
  EXPECT_EQ(names.method(plain, 10), "Store.find");
}

// Descriptors and their parameter lists are made side by side.
TEST(ParameterList, HasTheSimpleNameOfEveryTypeInRandomDescriptors) {
  constexpr unsigned kSeed = 34;
  SCOPED_TRACE("seed " + std::to_string(kSeed));
  std::mt19937 random(kSeed);
  const auto draw = [&](std::size_t count) { return random() % count; };
  const char letters[] = "LJIVabBZ$_9";
  const auto name = [&] {
    std::string text;
    for (std::size_t length = 1 + draw(6); text.size() < length;) {
      text += letters[draw(sizeof letters - 1)];
    }
    return text;
  };
  const std::pair<const char*, const char*> primitives[] = {
      {"B", "byte"}, {"C", "char"}, {"D", "double"}, {"F", "float"},
      {"I", "int"},  {"J", "long"}, {"S", "short"},  {"Z", "boolean"}};
  for (int round = 0; round < 5'000; ++round) {
    std::string descriptor = "(", list = "(";
    for (std::size_t count = draw(6); count > 0; --count) {
      const std::size_t dimensions = draw(4) == 0 ? 1 + draw(3) : 0;
      descriptor += std::string(dimensions, '[');
      std::string type;
      if (draw(2) == 0) {
        const auto& [letter, word] = primitives[draw(std::size(primitives))];
        descriptor += letter;
        type = word;
      } else {
        descriptor += 'L';
        for (std::size_t depth = draw(4); depth > 0; --depth) descriptor += name() + '/';
        type = name();
        descriptor += type + ';';
      }
      for (std::size_t i = 0; i < dimensions; ++i) type += "[]";
      list += (list.size() > 1 ? ", " : "") + type;
    }
    EXPECT_EQ(parameter_list(descriptor + ")V"), list + ")") << descriptor;
  }
}

}  // namespace
}  // namespace copse::report
