// The bytes of one small state file, as docs/binary-formats.md explains them.
#include "encoders/replay/state_file.h"

#include <gtest/gtest.h>

#include <cstdio>

namespace copse::encoders {
namespace {

// demo.Main.main calls demo.Main.work at line 12: a context tree of two nodes.
constexpr char kGolden[] =
    "636f7073652e73746174652f310d0a1a"  // copse.state/1, CR, LF, 0x1a
    "1700000001000000edc09652"          // 23 bytes, scheme, CRC-32C
    "03636374808080808080808040ffffffff0fa09c018020"
    "090000000400000094899ea4"  // 9 bytes, state, CRC-32C
    "020100000101010102"
    "4d00000005000000b2985f35"  // 77 bytes, names, CRC-32C
    "070964656d6f2e4d61696e046d61696e16285b4c6a6176612f6c616e672f537472696e673b295609"
    "4d61696e2e6a6176610361707004776f726b0328295602000102030401040d000506030400"
    "0000000006000000f8a06d48";  // no bytes, end, CRC-32C

std::vector<MethodName> names() {
  std::vector<MethodName> methods(3);
  methods[1] = {"demo.Main", "main", "([Ljava/lang/String;)V", "Main.java", "app", {{3, 12}}};
  methods[2] = {"demo.Main", "work", "()V", "Main.java", "app", {}};
  return methods;
}

std::vector<std::uint8_t> small_file() {
  ExactCctEncoder encoder;
  auto& thread = encoder.thread(ThreadIndex{0});
  encoder.start(thread);
  encoder.call(thread, entry_edge(MethodId{1}));
  encoder.call(thread, edge_key({MethodId{1}, SiteOrdinal{1}}, MethodId{2}));
  wire::StateWriter state;
  encoder.save_state(state);
  return state_file(*find_encoder("cct"), {}, state, names()).file();
}

TEST(StateFile, HasTheDocumentedBytes) { EXPECT_EQ(Token(small_file()).hex(), kGolden); }

TEST(StateFile, DecodesTheDocumentedExample) {
  const Result<Token> bytes = Token::from_hex(kGolden);
  ASSERT_TRUE(bytes.ok());
  const Result<StateFile> file = read_state_file(wire::bytes_in_memory("x.state", bytes->bytes()));
  ASSERT_TRUE(file.ok()) << file.message();
  EXPECT_EQ(file->scheme->name, "cct");
  ASSERT_EQ(file->methods.size(), 3u);
  EXPECT_EQ(file->methods[2].name, "work");
  EXPECT_EQ(file->methods[1].sites.at(0).line, 12);
  const Result<CallPath> path = file->encoder->decode(*Token::from_hex("02000000"));
  ASSERT_TRUE(path.ok()) << path.message();
  EXPECT_EQ(to_string(*path), "1 1:1>2");
}

}  // namespace
}  // namespace copse::encoders
