#include "base/printable.h"

#include <gtest/gtest.h>

#include "base/utf8.h"

namespace copse {
namespace {

TEST(Printable, SpellsOutWhatWouldConfuseATerminal) {
  EXPECT_EQ(printable("a\x1B[31mb\nc"), "a\\u001b[31mb\\u000ac");
  EXPECT_EQ(printable("\xE2\x80\xAE"
                      "exe"),
            "\\u202eexe");  // right-to-left override
  EXPECT_EQ(printable("größe 😀"), "größe 😀");
}

// Whatever the bytes: no control character of either set, alone or encoded, and one line.
TEST(Printable, LeavesNoControlCharacterInAnyBytes) {
  std::string every_pair;
  for (int first = 0; first < 256; ++first) {
    for (int second = 0; second < 256; ++second) {
      every_pair = {static_cast<char>(first), static_cast<char>(second), 'x'};
      std::string shown = printable(every_pair);
      EXPECT_EQ(valid_utf8(shown), shown);
      for (std::string_view rest = shown; !rest.empty();) {
        const char32_t c = take_code_point(rest);
        ASSERT_TRUE(c >= 0x20 && (c < 0x7F || c >= 0xA0)) << first << ' ' << second;
      }
    }
  }
}

}  // namespace
}  // namespace copse
