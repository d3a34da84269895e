
#include <gtest/gtest.h>

#include <string>

#include "ptql/language/query_text.h"
#include "support/ptql_queries.h"

namespace copse::ptql {
namespace {

TEST(PtqlCheckLibrary, HasQueriesThatAllCanHaveAnAnswer) {
  ASSERT_GE(check_library().size(), 20u);
  for (const Check& check : check_library()) {
    for (const std::string& query : split_queries(with_values(check.text, {}))) {
      EXPECT_TRUE(testing::plan_of(query).contradiction.empty()) << check.name;
    }
  }
}

TEST(PtqlCheckLibrary, SaysOfEachWhatItIsAbout) {
  for (const Check& check : check_library()) {
    EXPECT_FALSE(check.title.empty()) << check.name;
    EXPECT_LE(check.title.size(), 80u) << check.name;
    const std::string about = explanation_of(check);
    EXPECT_TRUE(about.starts_with("Means: ")) << check.name;
    EXPECT_NE(about.find("\nDo: "), std::string::npos) << check.name;
    EXPECT_NE(about.find("\nNot seen: "), std::string::npos) << check.name;
    EXPECT_NE(about.find("\nMay blame: "), std::string::npos) << check.name;
    EXPECT_EQ(about.find("${library} ="), std::string::npos) << check.name;
  }
}

TEST(PtqlCheckLibrary, NamesWhatItsQueriesUse) {
  for (const Check& check : check_library()) {
    EXPECT_EQ(with_values(check.text, {}).find("${"), std::string::npos)
        << check.name << " uses a name without a default";
  }
}

}  // namespace
}  // namespace copse::ptql
