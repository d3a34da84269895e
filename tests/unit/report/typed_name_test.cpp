#include "report/model/typed_name.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "report/model/display_names.h"
#include "report/text/context_lines.h"
#include "support/small_report.h"

namespace copse::report {
namespace {

using Rows = std::vector<std::size_t>;

// 0: shop.Db.find(int)  1: shop.Db.find(String, long[])  2: bank.Db.find()  3: shop.Out$In.run()  4: shop.find.Main()
// 5: an allocation  6: an exception  7: a park  8: (evicted)
ReportModel::Methods methods() {
  testing::SmallReport report;
  report.method("shop.Db", "find", "(I)V");
  report.method("shop.Db", "find", "(Ljava/lang/String;[J)V");
  report.method("bank.Db", "find");
  report.method("shop.Out$In", "run");
  report.method("shop.find", "Main");
  report.method("", "new byte[]", "", "");
  report.method("", "throw java.lang.NullPointerException at shop.Db.find:12", "", "");
  report.method("", "park java.util.concurrent.locks.ReentrantLock$NonfairSync", "", "");
  report.method(kEvictedClass, kEvictedName, "", "");
  return report.model.methods;
}

Rows rows_of(std::string_view typed) {
  const std::vector<bool> chosen = TypedName(typed).rows(methods());
  Rows rows;
  for (std::size_t row = 0; row < chosen.size(); ++row) {
    if (chosen[row]) rows.push_back(row);
  }
  return rows;
}

TEST(TypedName, StandsForAMethodWithOrWithoutItsPackageParametersAndLine) {
  EXPECT_EQ(rows_of("shop.Db.find"), (Rows{0, 1}));
  EXPECT_EQ(rows_of("Db.find"), (Rows{0, 1, 2}));
  EXPECT_EQ(rows_of("Db.find:31"), (Rows{0, 1, 2}));
  EXPECT_EQ(rows_of("shop.Db.find(int)"), (Rows{0}));
  EXPECT_EQ(rows_of("Db.find(String,long[])"), (Rows{1}));
  EXPECT_EQ(rows_of("Db.find()"), (Rows{2}));
  EXPECT_EQ(rows_of("...op.Db.find"), (Rows{0, 1}));
  EXPECT_EQ(rows_of("In.run"), (Rows{3}));
  EXPECT_EQ(rows_of("bank.**"), (Rows{2}));
}

TEST(TypedName, IsTheNameOfAMethodAloneIfNoClassHasIt) {
  EXPECT_EQ(rows_of("run"), (Rows{3}));
  EXPECT_EQ(rows_of("find"), (Rows{4})) << "a class of that name comes first";
  EXPECT_EQ(rows_of("nothing"), Rows{});
}

TEST(TypedName, StandsForObjectsOfEventsWithoutTheirPackages) {
  EXPECT_EQ(rows_of("new byte[]"), (Rows{5}));
  EXPECT_EQ(rows_of("throw NullPointerException"), (Rows{6}));
  EXPECT_EQ(rows_of("throw NullPointerException at Db.find:12"), (Rows{6}));
  EXPECT_EQ(rows_of("throw java.lang.NullPointerException at shop.Db.find:12"), (Rows{6}));
  EXPECT_EQ(rows_of("park *"), (Rows{7}));
  EXPECT_EQ(rows_of("throw *"), (Rows{6}));
}

TEST(TypedName, StandsForARowOfThisVeryNameRatherThanForOthersThatFit) {
  ReportModel::Methods all = methods();
  for (const char* folded : {"shop.**", "shop.web.**"}) {
    for (auto* column : {&all.class_name, &all.name, &all.descriptor, &all.source, &all.loader,
                         &all.stable_class}) {
      column->push_back(column == &all.name ? folded : "");
    }
  }
  std::vector<bool> expected(all.name.size());
  expected[all.name.size() - 2] = true;
  EXPECT_EQ(TypedName("shop.**").rows(all), expected);
}

TEST(TypedName, HoldsForWhatTheReportPrints) {
  const ReportModel::Methods all = methods();
  const DisplayNames names(all);
  for (std::size_t row = 0; row < all.name.size(); ++row) {
    const std::string printed = names.method(static_cast<std::int32_t>(row));
    EXPECT_TRUE(TypedName(printed).rows(all)[row]) << printed;
    const std::string narrow = fitted(printed, printed.size() - 2);
    EXPECT_TRUE(TypedName(narrow).rows(all)[row]) << narrow;
  }
}

TEST(TypedName, TellsMethodsApartThatDifferInPackagesOrResultsOfTypes) {
  testing::SmallReport report;
  for (const char* descriptor :
       {"(La/Id;)V", "(Lb/Id;)V", "(J)La/Key;", "(J)Lb/Key;", "(J)V", "(I)V", "(Lint;)V"}) {
    report.method("shop.Db", "find", descriptor);
  }
  report.method("shop.Tests", "finds (twice)");
  const ReportModel::Methods& all = report.model.methods;
  const DisplayNames names(all);
  for (std::size_t row = 0; row < all.name.size(); ++row) {
    const std::string printed = names.method(static_cast<std::int32_t>(row));
    std::vector<bool> expected(all.name.size());
    expected[row] = true;
    for (const std::string& typed :
         {printed, printed + ":12", printed.substr(printed.find('.') + 1)}) {
      EXPECT_EQ(TypedName(typed).rows(all), expected) << typed;
    }
  }
}

TEST(TypedName, IsNotBrokenByAnyText) {
  for (const char* odd :
       {"", ":", "1", ":1", "(", ")", "()", "(x)", "...", "a(", "$", ".", "*(int)"}) {
    EXPECT_EQ(TypedName(odd).rows(methods()).size(), methods().name.size()) << odd;
  }
  EXPECT_EQ(rows_of("*.find(int)"), (Rows{0}));
}

}  // namespace
}  // namespace copse::report
