// Input that is no class file, or not quite.
#include "rewriter_test_support.h"

namespace copse::classfile {
namespace {

std::string failure(const Bytes& bytes) {
  MarkProbes probes;
  const auto result = rewrite(bytes, probes);
  return result.ok() ? "" : result.message();
}

std::string failure_of_code(Bytes code, std::vector<ExceptionRange> ranges = {}) {
  ClassBuilder builder;
  builder.add({.max_locals = 2, .code = std::move(code), .ranges = std::move(ranges)});
  return failure(builder.build());
}

Bytes rich_class() {
  ClassBuilder builder;
  builder.add_field("x", "I");
  const auto callee = builder.method("pkg/Other", "f", "(IJ)V");
  builder.add({.descriptor = "(Ljava/lang/String;)V",
               .max_locals = 3,
               .code = {0x03, 0x9A, 0, 4, 0x00, 0xB8, high(callee), low(callee), 0xAA,
                        0,    0,    0, 0, 0,    0,    16,           0,           0,
                        0,    0,    0, 0, 0,    0,    0xB1},
               .ranges = {{0, 5, 24, 0}},
               .parts = {{"StackMapTable", {0, 2, 5, 255, 0, 18, 0, 1, 1, 0, 1, 7, 0, 2}},
                         {"LineNumberTable", big_endian({1, 0, 7})},
                         {"LocalVariableTable", big_endian({1, 0, 24, 1, 1, 0})}}});
  return builder.build();
}

TEST(Malformed, EveryTruncationIsRefused) {
  Bytes bytes = rich_class();
  // The switch's last bytes are wrong on purpose in rich_class(): only truncation is tested here.
  while (!bytes.empty()) {
    bytes.pop_back();
    EXPECT_NE(failure(bytes), "") << bytes.size();
  }
}

TEST(Malformed, EveryChangedByteGivesAClassFileOrAReason) {
  const Bytes original = rich_class();
  int refused = 0, changed = 0;
  for (std::size_t at = 0; at < original.size(); ++at) {
    for (const int value : {0x00, 0x01, 0x7F, 0x80, 0xAA, 0xC4, 0xFF}) {
      Bytes bytes = original;
      bytes[at] = static_cast<std::uint8_t>(value);
      MarkProbes probes;
      probes.kinds = {LocalKind::kLong};
      const auto result = rewrite(bytes, probes);
      if (!result.ok()) {
        ++refused;
        EXPECT_FALSE(result.message().empty());
      } else if (result->changed) {
        ++changed;
        EXPECT_TRUE(read_class(result->bytes).has_value()) << at << " " << value;
      }
    }
  }
  EXPECT_GT(refused, 0);
  EXPECT_GT(changed, 0);
}

TEST(Malformed, TrailingBytesAreRefused) {
  ClassBuilder builder;
  Bytes bytes = builder.build();
  EXPECT_EQ(failure(bytes), "");
  bytes.push_back(0);
  EXPECT_NE(failure(bytes), "");
}

TEST(Malformed, OnlyAVersionThatNoJvmHasIsRefused) {
  EXPECT_NE(failure(ClassBuilder(44).build()).find("44"), std::string::npos);
  for (const std::uint16_t version :
       std::initializer_list<std::uint16_t>{45, 69, 72, 73, 99, 65535}) {
    EXPECT_EQ(failure(ClassBuilder(version).build()), "") << version;
  }
}

TEST(Malformed, CodeIsCheckedBeforeItIsTrusted) {
  EXPECT_NE(failure_of_code({}), "");
  EXPECT_NE(failure_of_code({0xCA}), "") << "no such instruction";
  EXPECT_NE(failure_of_code({0x10}), "") << "cut short";
  EXPECT_NE(failure_of_code({0xA7, 0, 1}), "") << "into itself";
  EXPECT_NE(failure_of_code({0xA7, 0, 99}), "") << "beyond the code";
  EXPECT_NE(failure_of_code({0xA7, 0xFF, 0xFF}), "") << "before the code";
  EXPECT_NE(failure_of_code({0xC8, 0x80, 0, 0, 0}), "");
  EXPECT_NE(failure_of_code({0xC4, 0x00, 0, 0}), "") << "wide nop";
  EXPECT_NE(failure_of_code({0xB8, 0, 1, 0xB1}), "") << "calls no method";
  EXPECT_NE(failure_of_code({0xB8, 0xFF, 0xFF, 0xB1}), "");
}

TEST(Malformed, SwitchesAreCheckedBeforeTheyAreTrusted) {
  EXPECT_NE(failure_of_code({0x03, 0xAA, 0, 0, 0, 0}), "") << "cut short";
  // low > high; then 2^31 cases
  EXPECT_NE(failure_of_code({0xAA, 0, 0, 0, 0, 0, 0, 16, 0, 0, 0, 1, 0, 0, 0, 0, 0xB1}), "");
  EXPECT_NE(
      failure_of_code({0xAA, 0, 0, 0, 0, 0, 0, 16, 0x80, 0, 0, 0, 0x7F, 0xFF, 0xFF, 0xFF, 0xB1}),
      "");
  EXPECT_NE(failure_of_code({0xAB, 0, 0, 0, 0, 0, 0, 12, 0xFF, 0xFF, 0xFF, 0xFF, 0xB1}), "");
  EXPECT_NE(failure_of_code({0xAB, 0, 0, 0, 0, 0, 0, 12, 0x7F, 0xFF, 0xFF, 0xFF, 0xB1}), "");
}

TEST(Malformed, ExceptionRangesAreChecked) {
  const Bytes code = {0x10, 0, kPop, 0xB1};
  EXPECT_EQ(failure_of_code(code, {{0, 4, 3, 0}}), "");
  EXPECT_NE(failure_of_code(code, {{2, 2, 3, 0}}), "") << "empty";
  EXPECT_NE(failure_of_code(code, {{0, 5, 3, 0}}), "") << "beyond the code";
  EXPECT_NE(failure_of_code(code, {{1, 3, 3, 0}}), "") << "within an instruction";
  EXPECT_NE(failure_of_code(code, {{0, 2, 1, 0}}), "");
  EXPECT_NE(failure_of_code(code, {{0, 2, 4, 0}}), "");
}

TEST(Malformed, ArgumentsMustFitIntoTheLocals) {
  const auto failure_of = [](const char* descriptor, std::uint16_t max_locals) {
    ClassBuilder builder;
    builder.add({.descriptor = descriptor, .max_locals = max_locals, .code = {0xB1}});
    return failure(builder.build());
  };
  EXPECT_EQ(failure_of("(IJ[J)V", 4), "");
  EXPECT_NE(failure_of("(IJ[J)V", 3), "");
  EXPECT_NE(failure_of("(Q)V", 4), "");
}

TEST(Malformed, MessagesNameTheClassAndMethod) {
  EXPECT_EQ(failure_of_code({0xCA}), "pkg/Test: malformed class file (code of m()V)");
}

}  // namespace
}  // namespace copse::classfile
