#include "fleet/row_binary.h"

#include <gtest/gtest.h>

namespace copse::fleet {
namespace {

TEST(RowBinary, IsWhatClickHouseDocuments) {
  RowBinaryWriter writer;
  writer.number(0x01020304, 4);
  writer.text("ab");
  writer.text(std::string(200, 'x'));
  EXPECT_EQ(writer.bytes(), std::string("\x04\x03\x02\x01\x02"
                                        "ab"
                                        "\xC8\x01") +
                                std::string(200, 'x'));
}

TEST(RowBinary, ReadsWhatItWrites) {
  StableId id;
  for (std::size_t i = 0; i < id.bytes.size(); ++i)
    id.bytes[i] = static_cast<std::uint8_t>(250 + i);
  RowBinaryWriter writer;
  writer.text("");
  writer.id(id);
  writer.number(~std::uint64_t{0}, 8);
  writer.text(std::string(100'000, 'y'));
  RowBinaryReader reader(writer.bytes());
  EXPECT_EQ(reader.text(), "");
  EXPECT_EQ(reader.id(), id);
  EXPECT_EQ(reader.number(8), ~std::uint64_t{0});
  EXPECT_EQ(reader.text(), std::string(100'000, 'y'));
  EXPECT_TRUE(reader.at_end());
  EXPECT_TRUE(reader.is_whole());
}

TEST(RowBinary, SaysThatBytesAreMissing) {
  RowBinaryWriter writer;
  writer.text("abc");
  writer.number(7, 8);
  const std::string& whole = writer.bytes();
  for (std::size_t length = 0; length < whole.size(); ++length) {
    RowBinaryReader reader(std::string_view(whole).substr(0, length));
    (void)reader.text();
    (void)reader.number(8);
    EXPECT_FALSE(reader.is_whole()) << length;
    EXPECT_TRUE(reader.at_end()) << length;
  }
  RowBinaryReader endless(std::string_view("\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF"));
  EXPECT_EQ(endless.text(), "");
  EXPECT_FALSE(endless.is_whole());
}

}  // namespace
}  // namespace copse::fleet
