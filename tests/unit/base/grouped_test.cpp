#include "base/grouped.h"

#include <gtest/gtest.h>

namespace copse {
namespace {

TEST(Grouped, HasACommaBeforeEachThreeDigits) {
  EXPECT_EQ(grouped(0), "0");
  EXPECT_EQ(grouped(999), "999");
  EXPECT_EQ(grouped(1000), "1,000");
  EXPECT_EQ(grouped(18446744073709551615u), "18,446,744,073,709,551,615");
}

TEST(Counted, IsOneOrMany) {
  EXPECT_EQ(counted(0, "call"), "0 calls");
  EXPECT_EQ(counted(1, "call"), "1 call");
  EXPECT_EQ(counted(2, "call site"), "2 call sites");
  EXPECT_EQ(counted(1234, "call"), "1,234 calls");
  EXPECT_EQ(counted(1, "class", "classes"), "1 class");
  EXPECT_EQ(counted(0, "class", "classes"), "0 classes");
  EXPECT_EQ(counted(3, "entry", "entries"), "3 entries");
}

}  // namespace
}  // namespace copse
