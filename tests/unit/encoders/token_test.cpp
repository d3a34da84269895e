#include "encoders/replay/token.h"

#include <gtest/gtest.h>

#include <random>

#include "encoders/replay/registry.h"
#include "random_program.h"
#include "support/expect_fault.h"

namespace copse::encoders {
namespace {

TEST(Token, GivesBackWhatWasPut) {
  const CallSite site{MethodId{0xABCDEF}, SiteOrdinal{0x1234}};
  Token token;
  token.put(MethodId{7});
  token.put(0x0102030405060708, 8);
  token.put_site(site);
  token.put(edge_key(site, MethodId{9}));
  EXPECT_EQ(token.size(), 25u);
  TokenReader reader(token);
  EXPECT_EQ(reader.take_method(), MethodId{7});
  EXPECT_EQ(reader.take(8), 0x0102030405060708u);
  EXPECT_EQ(reader.take_site(), site);
  EXPECT_EQ(reader.take_edge(), edge_key(site, MethodId{9}));
  EXPECT_TRUE(reader.at_end());
  EXPECT_FALSE(reader.failed());
}

TEST(Token, ReadingPastTheEndFailsForGood) {
  Token token;
  token.put(1, 3);
  TokenReader reader(token);
  EXPECT_EQ(reader.take(4), 0u);
  EXPECT_TRUE(reader.failed());
  EXPECT_TRUE(reader.at_end());
  EXPECT_EQ(reader.take(1), 0u);
}

// A token from elsewhere gives a path or an error line, whatever its bytes.
TEST(Token, DamagedTokensNeverBreakDecode) {
  ProgramShape shape;
  shape.recursion = 0.4;
  std::mt19937_64 random(11);
  for (const EncoderInfo& info : all_encoders()) {
    const RandomProgram program(3, shape);
    EncoderConfig config;
    config.graph = program.graph;
    config.max_codes = 64;
    const auto encoder = make_encoder(info.name, config);
    ASSERT_TRUE(encoder.ok());
    replay(**encoder, program.trace);
    int refused = 0;
    for (int i = 0; i < 2000; ++i) {
      Token taken;
      (*encoder)->token(ThreadIndex{0}, taken);
      std::vector<std::uint8_t> bytes = taken.bytes();
      bytes.resize(random() % 60);
      for (int flips = 0; flips < 4 && !bytes.empty(); ++flips) {
        bytes[random() % bytes.size()] = static_cast<std::uint8_t>(random() % 12);
      }
      const Result<CallPath> path = (*encoder)->decode(Token(bytes));
      if (!path.ok()) {
        ++refused;
        EXPECT_NE(path.message().find(": "), std::string::npos) << path.message();
      }
    }
    EXPECT_GT(refused, 0) << info.name;
  }
}

TEST(Token, HexComesBack) {
  Token token;
  token.put(0xDEADBEEF00C0FFEE, 8);
  EXPECT_EQ(*Token::from_hex(token.hex()), token);
  EXPECT_EQ(*Token::from_hex("0AfF"), Token({0x0A, 0xFF}));
  EXPECT_EQ(*Token::from_hex(""), Token());
}

TEST(Token, WhatIsNoHexIsRefused) {
  EXPECT_FAULT(Token::from_hex("abc"), kMalformed);
  for (const char* text : {"0g", "-1", "+1", "0x", " 1", "1 "}) {
    EXPECT_FAULT(Token::from_hex(text), kMalformed) << text;
  }
}

}  // namespace
}  // namespace copse::encoders
