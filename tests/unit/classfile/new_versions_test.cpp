// Class files of versions to come: each method that can be read is rewritten, the others stay as they were.
#include "rewriter_test_support.h"

namespace copse::classfile {
namespace {

constexpr std::uint8_t kInt = 1, kUninitializedThis = 6, kLastType = 8;
constexpr std::uint8_t kEarlyLarval = 246;
constexpr std::uint8_t kNop = 0x00, kReturnVoid = 0xB1, kNoInstruction = 0xCA;

MethodSpec method(std::string name, Bytes code, std::vector<RawAttribute> parts = {}) {
  return {
      .name = std::move(name), .max_locals = 2, .code = std::move(code), .parts = std::move(parts)};
}

MethodSpec method_with_frames(std::string name, Bytes stack_map) {
  return method(std::move(name), {kNop, kNop, kNop, kReturnVoid},
                {{"StackMapTable", std::move(stack_map)}});
}

Bytes with_preview_features(Bytes bytes) {
  bytes[4] = bytes[5] = 0xFF;
  return bytes;
}

// Two methods; Copse may not know the second.
Bytes class_of(std::uint16_t version, const MethodSpec& second) {
  ClassBuilder builder(version);
  builder.add(method_with_frames("known", {0, 1, 1}));
  builder.add(second);
  return builder.build();
}

// Reasons of skipped methods; the first method has its probes.
std::vector<SkipReason> skipped(const Bytes& bytes) {
  MarkProbes probes;
  probes.kinds = {LocalKind::kLong};
  const Outcome outcome = rewrite_class(bytes, probes);
  std::vector<SkipReason> reasons;
  for (const SkippedMethod& each : outcome.result.skipped) {
    EXPECT_EQ(each.name, "second");
    reasons.push_back(each.reason);
  }
  EXPECT_GT(outcome.code("known").size(), 4u);
  if (!reasons.empty() && outcome.read) {
    EXPECT_LE(outcome.code("second").size(), 4u) << "stays as it was";
  }
  return reasons;
}

TEST(NewVersions, AreRewrittenLikeThoseThatAreKnown) {
  for (const std::uint16_t version : std::initializer_list<std::uint16_t>{69, 70, 71, 72, 73, 80}) {
    const Bytes bytes = class_of(version, method_with_frames("second", {0, 1, 1}));
    EXPECT_TRUE(skipped(bytes).empty()) << version;
    EXPECT_TRUE(skipped(with_preview_features(bytes)).empty()) << version;
  }
}

TEST(NewVersions, KeepMethodsWithUnknownInstructionsAsTheyAre) {
  const MethodSpec unknown = method("second", {kNoInstruction});
  for (const Bytes& bytes : {class_of(73, unknown), with_preview_features(class_of(69, unknown))}) {
    MarkProbes probes;
    const auto result = rewrite(bytes, probes);
    ASSERT_TRUE(result.ok()) << result.message();
    EXPECT_TRUE(result->changed) << "the first method";
    ASSERT_EQ(result->skipped.size(), 1u);
    EXPECT_EQ(result->skipped[0].name, "second");
    EXPECT_EQ(result->skipped[0].reason, SkipReason::kUnknownCode);
  }
  MarkProbes probes;
  EXPECT_FALSE(rewrite(class_of(72, unknown), probes).ok()) << "known, and malformed";
}

TEST(NewVersions, KeepMethodsWithReservedFramesAsTheyAre) {
  for (std::uint32_t type = 128; type < kEarlyLarval; ++type) {
    const Bytes frames = {0, 1, static_cast<std::uint8_t>(type), 0, 1};
    for (const std::uint16_t version : std::initializer_list<std::uint16_t>{69, 72, 73}) {
      const Bytes bytes = class_of(version, method_with_frames("second", frames));
      EXPECT_EQ(skipped(bytes), std::vector{SkipReason::kUnknownStackMap}) << type;
      EXPECT_EQ(skipped(with_preview_features(bytes)), std::vector{SkipReason::kUnknownStackMap})
          << type;
    }
  }
}

TEST(NewVersions, KeepMethodsWithReservedTypesAsTheyAre) {
  for (std::uint32_t type = kLastType + 1; type < 256; ++type) {
    const Bytes frames = {0, 1, 64, static_cast<std::uint8_t>(type)};
    EXPECT_EQ(skipped(class_of(72, method_with_frames("second", frames))),
              std::vector{SkipReason::kUnknownStackMap})
        << type;
  }
}

// A constructor whose first frame says that a field is not set yet, and a second that says none is left.
MethodSpec constructor(ClassBuilder& builder, Bytes stack_map) {
  const std::uint16_t super = builder.method("java/lang/Object", "<init>", "()V");
  return {.access = 0x0001,
          .name = "<init>",
          .descriptor = "(I)V",
          .max_locals = 2,
          .code = {kNop, kNop, 0x2A, 0xB7, high(super), low(super), kReturnVoid},
          .parts = {{"StackMapTable", std::move(stack_map)}}};
}

TEST(NewVersions, MoveFramesOfConstructorsThatNameFieldsNotSetYet) {
  ClassBuilder builder(72);
  const std::uint16_t field = builder.name_and_type("x", "I");
  const Bytes frames = {0,
                        2,  //
                        kEarlyLarval,
                        0,
                        1,
                        high(field),
                        low(field),
                        1,  // same at 1
                        kEarlyLarval,
                        0,
                        0,
                        255,
                        0,
                        0,
                        0,
                        2,
                        kUninitializedThis,
                        kInt,
                        0,
                        0};
  builder.add(constructor(builder, frames));
  MarkProbes probes;
  probes.kinds = {};
  const Outcome outcome = rewrite_class(builder.build(), probes);
  EXPECT_TRUE(outcome.result.skipped.empty());
  const Bytes written = outcome.part("StackMapTable", "<init>");
  constexpr std::uint8_t kEntryBytes = 2;
  EXPECT_EQ(written, (Bytes{0, 2, kEarlyLarval, 0, 1, high(field), low(field), kEntryBytes + 1,
                            kEarlyLarval, 0, 0, 0}))
      << "the frames that they wrap are the shortest, as others";
}

}  // namespace
}  // namespace copse::classfile
