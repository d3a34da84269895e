#include "ptql/language/query_text.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace copse::ptql {
namespace {

using Texts = std::vector<std::string>;

TEST(PtqlQueryText, SplitsAtSemicolonsOutsideOfStringsAndComments) {
  EXPECT_EQ(split_queries("a ';' \";\" -- ;\n b"), (Texts{"a ';' \";\" -- ;\n b"}));
  EXPECT_EQ(split_queries("a 'it''s;' ; b"), (Texts{"a 'it''s;' ", "             b"}));
  EXPECT_EQ(split_queries("a;;\n-- the end\n"), (Texts{"a"}));
}

TEST(PtqlQueryText, LeavesQueriesWhereTheyAre) {
  EXPECT_EQ(split_queries("-- ü\nSELECT 'ü'; x\n;y"),
            (Texts{"-- ü\nSELECT 'ü'", "    \n            x\n", "    \n             \n y"}));
}

TEST(PtqlQueryText, GivesWhatHasNoQueryWhole) {
  EXPECT_EQ(split_queries(""), (Texts{""}));
  EXPECT_EQ(split_queries("-- nothing\n"), (Texts{"-- nothing\n"}));
  EXPECT_EQ(split_queries("a 'open; b"), (Texts{"a 'open; b"}));
}

TEST(PtqlQueryText, PutsValuesInThePlaceOfDeclaredNames) {
  const std::string text = "-- ${dao} = a.B$C\nx = '${dao}' AND y = '${other}' AND z = '$dao'";
  EXPECT_EQ(with_values(text, {}),
            "-- a.B$C = a.B$C\nx = 'a.B$C' AND y = '${other}' AND z = '$dao'");
  EXPECT_EQ(with_values("-- ${dao} = D\n'${dao}'", {{"dao", "it's"}, {"other", "E"}}),
            "-- it''s = D\n'it''s'");
}

TEST(PtqlQueryText, DeclaresNamesInCommentLinesAlone) {
  const std::vector<Definition> found = definitions_of(
      "  --  ${a_1}  =  some words \r\n-- ${b}=\n-- text ${c} = d\n${d} = e\n-- ${e f} = g\n-- "
      "${f");
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].name, "a_1");
  EXPECT_EQ(found[0].value, "some words");
  EXPECT_EQ(found[1].name, "b");
  EXPECT_EQ(found[1].value, "");
}

}  // namespace
}  // namespace copse::ptql
