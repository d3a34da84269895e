#include "base/wire/state_io.h"

#include <gtest/gtest.h>

#include "support/expect_fault.h"

namespace copse::encoders {
namespace {

TEST(StateIo, NumbersOfEverySizeComeBack) {
  std::vector<std::uint64_t> values = {0, ~std::uint64_t{0}};
  for (int shift = 0; shift < 64; ++shift) {
    values.push_back(std::uint64_t{1} << shift);
    values.push_back((std::uint64_t{1} << shift) - 1);
  }
  wire::StateWriter out;
  for (const std::uint64_t value : values) out.number(value);
  wire::StateReader in(out.bytes(), 0);
  for (const std::uint64_t value : values) EXPECT_EQ(in.number(), value);
  EXPECT_TRUE(in.ok() && in.at_end());
}

TEST(StateIo, ANumberOfMoreThan64BitsIsAnError) {
  for (const std::uint8_t last : {std::uint8_t{0x02}, std::uint8_t{0x80}}) {
    std::vector<std::uint8_t> bytes(9, 0x80);
    bytes.push_back(last);
    wire::StateReader in(bytes, 100);
    in.number();
    EXPECT_FAULT(in.status(), kMalformed, "at byte 100: ");
  }
}

TEST(StateIo, TheFirstFailureIsKept) {
  const std::vector<std::uint8_t> bytes = {5, 9};
  wire::StateReader in(bytes, 0);
  in.number();
  in.number_below(9, "index");
  in.number();
  in.edge();
  EXPECT_FAULT(in.status(), kMalformed, "at byte 1: index 9 ");
}

TEST(StateIo, ANumberThatIsCutIsAnError) {
  const std::vector<std::uint8_t> bytes = {1, 0x80, 0x80};
  wire::StateReader in(bytes, 100);
  in.number();
  in.number();
  EXPECT_FAULT(in.status(), kMalformed, "at byte 101: ");
}

TEST(StateIo, APlaceBehindABlocksEndIsCountedWithTheNextHeader) {
  const std::vector<std::uint8_t> bytes = {1, 2, 3, 4, 5};
  for (const auto& [reads, at] : std::vector<std::pair<int, int>>{{2, 101}, {3, 114}, {5, 128}}) {
    wire::StateReader in(bytes, 100, 2);
    for (int i = 0; i < reads; ++i) in.byte();
    in.fail("wrong");
    EXPECT_FAULT(in.status(), kMalformed, "at byte " + std::to_string(at) + ": wrong");
  }
}

}  // namespace
}  // namespace copse::encoders
