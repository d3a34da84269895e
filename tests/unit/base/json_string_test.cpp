#include "base/json_string.h"

#include <gtest/gtest.h>

namespace copse {
namespace {

std::string json(std::string_view text, bool in_script = false) {
  std::string out = "=";
  append_json_string(out, text, in_script);
  return out;
}

TEST(JsonString, IsAppendedInQuotes) {
  EXPECT_EQ(json(""), R"(="")");
  EXPECT_EQ(json("a.B<init>"), R"(="a.B<init>")");
  EXPECT_EQ(json("h\u00e9 \u20ac"), "=\"h\u00e9 \u20ac\"");
}

TEST(JsonString, EscapesWhatEndsItAndControlCharactersOfBothSets) {
  EXPECT_EQ(json("\"\\"), R"(="\"\\")");
  EXPECT_EQ(json(std::string_view("\0\n\x1f\x7f", 4)), R"(="\u0000\u000a\u001f\u007f")");
  EXPECT_EQ(json("\u009b31m"), R"(="\u009b31m")");
  EXPECT_EQ(json("\xC2"), "=\"\xC2\"");
}

TEST(JsonString, CannotEndAScriptElement) {
  EXPECT_EQ(json("</script>", true), R"(="\u003c/script>")");
}

}  // namespace
}  // namespace copse
