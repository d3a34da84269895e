#include "base/nearest.h"

#include <gtest/gtest.h>

namespace copse {
namespace {

TEST(Nearest, CountsMistakesASwapOnce) {
  EXPECT_EQ(edit_distance("report", "report"), 0u);
  EXPECT_EQ(edit_distance("reprot", "report"), 1u);
  EXPECT_EQ(edit_distance("repot", "report"), 1u);
  EXPECT_EQ(edit_distance("", "abc"), 3u);
  EXPECT_EQ(edit_distance("abc", ""), 3u);
}

TEST(Nearest, IsTheOneThatWasMostLikelyMeant) {
  const std::vector<std::string> known = {"run", "record", "recover", "report"};
  EXPECT_EQ(nearest("rnu", known), "run");
  EXPECT_EQ(nearest("reprot", known), "report");
  EXPECT_EQ(nearest("reco", known), "record") << "begun right";
  EXPECT_EQ(nearest("xyz", known), "");
  EXPECT_EQ(nearest("x", {}), "");
}

}  // namespace
}  // namespace copse
