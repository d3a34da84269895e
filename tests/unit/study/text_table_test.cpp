#include "encoders/study/figures_text.h"

#include <gtest/gtest.h>

namespace copse::study {
namespace {

TEST(TextTable, ColumnsAreAsWideAsTheirCharacters) {
  TextTable table({"method", "calls"});
  table.add(
      {"Caf\xC3\xA9.\xC3\xB6"
       "ffnen",
       "12"});
  table.add({"Shop.open", "3"});
  EXPECT_EQ(table.text(),
            "method       calls\n"
            "Caf\xC3\xA9.\xC3\xB6"
            "ffnen     12\n"
            "Shop.open        3\n");
}

}  // namespace
}  // namespace copse::study
