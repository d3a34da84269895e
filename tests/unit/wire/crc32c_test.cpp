#include "base/wire/crc32c.h"

#include <gtest/gtest.h>

#include <random>
#include <string_view>
#include <vector>

namespace copse::wire {
namespace {

std::span<const std::uint8_t> bytes_of(std::string_view text) {
  return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

TEST(Crc32c, IsThatOfRfc3720) {
  EXPECT_EQ(crc32c(bytes_of("123456789")), 0xe3069283u);
  EXPECT_EQ(crc32c(std::vector<std::uint8_t>(32, 0)), 0x8a9136aau);
  EXPECT_EQ(crc32c(std::vector<std::uint8_t>(32, 0xff)), 0x62a8ab43u);
  EXPECT_EQ(crc32c({}), 0u);
}

TEST(Crc32c, TablesAndInstructionAgreeAndPartsAddUp) {
  std::mt19937 random(3);
  std::vector<std::uint8_t> bytes(1000);
  for (std::uint8_t& byte : bytes) byte = static_cast<std::uint8_t>(random());
  const std::span<const std::uint8_t> all(bytes);
  for (std::size_t size = 0; size < 100; ++size) {
    EXPECT_EQ(crc32c(all.first(size)), crc32c_by_tables(all.first(size)));
    EXPECT_EQ(crc32c(all.subspan(size), crc32c(all.first(size))), crc32c_by_tables(all));
  }
}

}  // namespace
}  // namespace copse::wire
