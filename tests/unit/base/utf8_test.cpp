#include "base/utf8.h"

#include <gtest/gtest.h>

namespace copse {
namespace {

TEST(Utf8, JoinsSurrogatesOfModifiedUtf8) {
  EXPECT_EQ(valid_utf8("\xED\xA0\xBD\xED\xB8\x80"), "\xF0\x9F\x98\x80");
  EXPECT_EQ(valid_utf8("\xF0\x9F\x98\x80"), "\xF0\x9F\x98\x80");
  EXPECT_EQ(valid_utf8("\xC0\x80"), std::string(1, '\0'));
}

TEST(Utf8, ReplacesWhatIsInvalid) {
  const std::string mark = "\xEF\xBF\xBD";
  EXPECT_EQ(valid_utf8("\xED\xA0\xBD"), mark);             // high surrogate at the end
  EXPECT_EQ(valid_utf8("\xED\xA0\xBDx"), mark + "x");      // high surrogate alone
  EXPECT_EQ(valid_utf8("\xED\xB8\x80x"), mark + "x");      // low surrogate alone
  EXPECT_EQ(valid_utf8("\xC1\x81x"), mark + "x");          // longer than needed
  EXPECT_EQ(valid_utf8("\xF5\x80\x80\x80x"), mark + "x");  // beyond Unicode
  EXPECT_EQ(valid_utf8("\xE2\x82"), mark);                 // cut off
  EXPECT_EQ(valid_utf8("\x80"), mark);
}

TEST(Utf8, ACharacterHasOneToFourBytes) {
  EXPECT_EQ(characters(""), 0u);
  EXPECT_EQ(characters("a\xC3\xBC\xE2\x82\xAC\xF0\x9F\x98\x80"), 4u);
}

}  // namespace
}  // namespace copse
