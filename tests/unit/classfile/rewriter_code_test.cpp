// Where inserted code goes and what follows it: jumps, switches, exception ranges, limits.
#include "rewriter_test_support.h"

namespace copse::classfile {
namespace {

TEST(Rewriter, PutsEachProbeAtItsPlace) {
  ClassBuilder builder;
  const auto callee = builder.method("pkg/Other", "f", "()V");
  MarkProbes probes;
  const auto out =
      rewrite_method(builder, {.code = {0xB8, high(callee), low(callee), 0xB1}}, probes);
  EXPECT_EQ(out.code(), (Bytes{kEntryMark, kPop, kBeforeCallMark, kPop, 0xB8, high(callee),
                               low(callee), kAfterCallMark, kPop, kReturnMark, kPop, 0xB1}));
}

TEST(Rewriter, TellsWhereEachCallIsInTheNewCode) {
  ClassBuilder builder;
  const auto f = builder.method("pkg/Other", "f", "()V");
  const auto g = builder.method("pkg/Other", "g", "()V");
  MarkProbes probes;
  // A call, a jump that must be widened, and a call behind it.
  Bytes code = {0xB8, high(f), low(f), 0xA7, 0x7F, 0xFE};
  code.resize(3 + 0x7FFE, 0x00);
  code.insert(code.end(), {0xB8, high(g), low(g), 0xB1});
  const auto out = rewrite_method(builder, {.name = "<clinit>", .code = code}, probes);
  const Bytes written = out.code("<clinit>");
  ASSERT_EQ(probes.moved_calls.size(), 2u);
  EXPECT_EQ(probes.moved_calls[0], 4u);
  for (const auto& [call, callee] : {std::pair{0, f}, {1, g}}) {
    const auto at = written.begin() + probes.moved_calls[call];
    EXPECT_EQ(Bytes(at, at + 3), (Bytes{0xB8, high(callee), low(callee)}));
  }
}

TEST(Rewriter, GrowsStackAndLocalsByWhatTheProbesNeed) {
  MarkProbes probes;
  probes.kinds = {LocalKind::kLong, LocalKind::kInt};
  const auto out =
      rewrite_method(ClassBuilder(), {.max_stack = 1, .max_locals = 4, .code = {0xB1}}, probes);
  EXPECT_EQ(out.attribute().max_stack, 2) << "a long at the entry, where nothing else is";
  EXPECT_EQ(out.attribute().max_locals, 4 + 3);
  EXPECT_EQ(out.code(),
            (Bytes{0x09, 0x37, 4, 0x03, 0x36, 6, kEntryMark, kPop, kReturnMark, kPop, 0xB1}));
}

TEST(Rewriter, KeepsTheStackOfAMethodThatUsesMoreWhereNoProbeIs) {
  MarkProbes probes;
  const auto out = rewrite_method(ClassBuilder(),
                                  {.max_stack = 4, .code = {0x09, 0x09, 0x58, 0x58, 0xB1}}, probes);
  EXPECT_EQ(out.attribute().max_stack, 4);
}

TEST(Rewriter, AddsWhatAProbeNeedsToTheDepthOfItsPlace) {
  ClassBuilder builder;
  const auto callee = builder.method("pkg/Other", "f", "(JI)V");
  MarkProbes probes;
  // lconst_0 lconst_0 iconst_0 invokestatic pop2 return: five slots before the call
  const auto out = rewrite_method(
      builder,
      {.max_stack = 5, .code = {0x09, 0x09, 0x03, 0xB8, high(callee), low(callee), 0x58, 0xB1}},
      probes);
  EXPECT_EQ(out.attribute().max_stack, 5 + 1);
}

TEST(Rewriter, LeavesTheClassAloneWhenEveryMethodIsRefused) {
  MarkProbes probes;
  probes.wanted = false;
  const auto out = rewrite_method(ClassBuilder(), {.code = {0xB1}}, probes);
  EXPECT_FALSE(out.result.changed);
  EXPECT_TRUE(out.result.bytes.empty());
}

TEST(Rewriter, LeavesRefusedMethodsBetweenRewrittenOnesAsTheyWere) {
  ClassBuilder builder;
  for (const char* name : {"a", "b", "c", "d"}) builder.add({.name = name, .code = {0x00, 0xB1}});
  MarkProbes probes;
  probes.on_begin = [&](const MethodView& method) {
    probes.wanted = method.name == "b" || method.name == "d";
  };
  const auto out = rewrite_class(builder.build(), probes);
  EXPECT_EQ(out.code("a"), (Bytes{0x00, 0xB1}));
  EXPECT_EQ(out.code("b").size(), 6u);
  EXPECT_EQ(out.code("c"), (Bytes{0x00, 0xB1}));
  EXPECT_EQ(out.code("d").size(), 6u);
}

TEST(Rewriter, JumpToBciZeroDoesNotRepeatTheEntryProbe) {
  MarkProbes probes;
  const auto out = rewrite_method(
      ClassBuilder(), {.code = {0xA7, 0, 0}, .parts = {{"StackMapTable", {0, 1, 0}}}}, probes);
  EXPECT_EQ(out.code(), (Bytes{kEntryMark, kPop, 0xA7, 0, 0}));
  EXPECT_EQ(out.part("StackMapTable"), (Bytes{0, 1, 2}));
}

TEST(Rewriter, JumpsRunTheCodeBeforeTheirTargetButNotTheCodeAfterACall) {
  ClassBuilder builder;
  const auto callee = builder.method("pkg/Other", "f", "()V");
  MarkProbes probes;
  // 0: aconst_null; 1: ifnull 7; 4: invokestatic; 7: return
  const auto out =
      rewrite_method(builder,
                     {.code = {0x01, 0xC6, 0, 6, 0xB8, high(callee), low(callee), 0xB1},
                      .parts = {{"StackMapTable", {0, 1, 7}}}},
                     probes);
  const Bytes code = out.code();
  ASSERT_EQ(code.size(), 16u);
  const std::size_t target = 3u + code[5];
  EXPECT_EQ(code[target - 2], kAfterCallMark);
  EXPECT_EQ(code[target], kReturnMark);
  EXPECT_EQ(out.part("StackMapTable"), (Bytes{0, 1, static_cast<std::uint8_t>(target)}));
}

TEST(Rewriter, SwitchPaddingIsRecomputed) {
  MarkProbes probes;
  // 0: iconst_0; 1: tableswitch (2 bytes of padding) 0..1 -> 24, default 24; 24: return
  const Bytes code = {0x03, 0xAA, 0, 0, 0, 0, 0,  23, 0, 0, 0,  0,   0,
                      0,    0,    1, 0, 0, 0, 23, 0,  0, 0, 23, 0xB1};
  const auto out = rewrite_method(ClassBuilder(),
                                  {.code = code, .parts = {{"StackMapTable", {0, 1, 24}}}}, probes);
  // Two bytes of entry code: opcode at 3, no padding.
  EXPECT_EQ(out.code(),
            (Bytes{kEntryMark, kPop, 0x03, 0xAA, 0, 0,  0, 21, 0, 0,  0,           0,    0,   0,
                   0,          1,    0,    0,    0, 21, 0, 0,  0, 21, kReturnMark, kPop, 0xB1}));
  EXPECT_EQ(out.part("StackMapTable"), (Bytes{0, 1, 24}));
}

TEST(Rewriter, LookupswitchKeepsItsKeysAndMovesItsTargets) {
  MarkProbes probes;
  // 0: iconst_0; 1: lookupswitch default 20, -2 -> 21; 20: return; 21: return
  const Bytes code = {0x03, 0xAB, 0,    0,    0,    0, 0, 19, 0,  0,    0,
                      1,    0xFF, 0xFF, 0xFF, 0xFE, 0, 0, 0,  20, 0xB1, 0xB1};
  const auto out = rewrite_method(
      ClassBuilder(), {.code = code, .parts = {{"StackMapTable", {0, 2, 20, 0}}}}, probes);
  EXPECT_EQ(out.code(),
            (Bytes{kEntryMark, kPop, 0x03,        0xAB, 0,    0,           0,    17,  0,
                   0,          0,    1,           0xFF, 0xFF, 0xFF,        0xFE, 0,   0,
                   0,          20,   kReturnMark, kPop, 0xB1, kReturnMark, kPop, 0xB1}));
  EXPECT_EQ(out.part("StackMapTable"), (Bytes{0, 2, 20, 2}));
}

TEST(Rewriter, WideInstructionsAreKept) {
  MarkProbes probes;
  const Bytes code = {0xC4, 0x84, 1, 0, 0x7F, 0xFF, 0xC4, 0x15, 1, 0, kPop, 0xB1};
  const auto out = rewrite_method(ClassBuilder(), {.max_locals = 257, .code = code}, probes);
  const Bytes rewritten = out.code();
  EXPECT_TRUE(std::equal(code.begin(), code.end() - 1, rewritten.begin() + 2));
}

TEST(Rewriter, ProbeLocalsBeyond255AreReachedWide) {
  MarkProbes probes;
  probes.kinds = {LocalKind::kLong};
  const auto out = rewrite_method(ClassBuilder(), {.max_locals = 300, .code = {0xB1}}, probes);
  const Bytes code = out.code();
  EXPECT_EQ(Bytes(code.begin(), code.begin() + 5), (Bytes{0x09, 0xC4, 0x37, 1, 44}));
}

TEST(Rewriter, ProbeLocalsUseTheShortFormsWhereTheyExist) {
  MarkProbes probes;
  probes.kinds = {LocalKind::kInt, LocalKind::kLong};
  const auto out = rewrite_method(ClassBuilder(), {.max_locals = 1, .code = {0xB1}}, probes);
  const Bytes code = out.code();
  EXPECT_EQ(Bytes(code.begin(), code.begin() + 4), (Bytes{0x03, 0x3C, 0x09, 0x41}));
}

std::uint32_t u4_at(const Bytes& code, std::size_t at) {
  return std::uint32_t{code[at]} << 24 | std::uint32_t{code[at + 1]} << 16 |
         std::uint32_t{code[at + 2]} << 8 | code[at + 3];
}

// A branch over many calls to the last instruction: near enough for 16 bits only as it is.
MethodSpec far_branch(ClassBuilder& builder, std::uint8_t branch, bool takes_operand) {
  const auto callee = builder.method("pkg/Other", "f", "()V");
  MethodSpec method;
  if (takes_operand) method.code.push_back(0x01);
  const std::size_t from = method.code.size();
  method.code.insert(method.code.end(), {branch, 0, 0});
  while (method.code.size() < 32'700) {
    method.code.insert(method.code.end(), {0xB8, high(callee), low(callee), 0, 0, 0, 0, 0, 0});
  }
  const auto offset = static_cast<std::uint32_t>(method.code.size() - from);
  method.code[from + 1] = high(offset);
  method.code[from + 2] = low(offset);
  method.code.push_back(0xB1);
  return method;
}

TEST(Rewriter, GotosThatOverflowAreWidened) {
  ClassBuilder builder(49);
  MarkProbes probes;
  const MethodSpec method = far_branch(builder, 0xA7, false);
  const auto out = rewrite_method(builder, method, probes);
  const Bytes code = out.code();
  ASSERT_GT(code.size(), 40'000u);
  EXPECT_EQ(code[2], 0xC8);
  const std::uint32_t offset = u4_at(code, 3);
  EXPECT_EQ(2 + offset, code.size() - 3) << "leads to the code before the return";
}

TEST(Rewriter, ConditionalBranchesThatOverflowAreInvertedOverAGoto) {
  ClassBuilder builder(49);
  MarkProbes probes;
  const MethodSpec method = far_branch(builder, 0xC6, true);
  const auto out = rewrite_method(builder, method, probes);
  const Bytes code = out.code();
  ASSERT_GT(code.size(), 40'000u);
  EXPECT_EQ(Bytes(code.begin() + 3, code.begin() + 7), (Bytes{0xC7, 0, 8, 0xC8}));
  const std::uint32_t offset = u4_at(code, 7);
  EXPECT_EQ(6 + offset, code.size() - 3);
}

TEST(Rewriter, InvertsABranchOnlyWhereAFrameAllowsTheNewTarget) {
  for (const bool frame_behind : {true, false}) {
    ClassBuilder builder(52);
    MethodSpec method = far_branch(builder, 0xC6, true);
    const auto last = static_cast<std::uint32_t>(method.code.size() - 1);
    const Bytes at_both = {0, 2, 4, 251, high(last - 5), low(last - 5)};
    const Bytes at_target = {0, 1, 251, high(last), low(last)};
    method.parts = {{"StackMapTable", frame_behind ? at_both : at_target}};
    MarkProbes probes;
    const auto out = rewrite_method(builder, method, probes);
    EXPECT_EQ(out.result.changed, frame_behind);
    if (frame_behind) {
      EXPECT_EQ(out.part("StackMapTable")[2], 11) << "the frame behind the goto_w";
    } else {
      ASSERT_EQ(out.result.skipped.size(), 1u);
      EXPECT_EQ(out.result.skipped[0].reason, SkipReason::kCodeTooLarge);
    }
  }
}

TEST(Rewriter, MethodsAtTheSizeLimitAreLeftAlone) {
  MethodSpec method;
  method.code.assign(65'534, 0x00);
  method.code.push_back(0xB1);
  MarkProbes probes;
  const auto out = rewrite_method(ClassBuilder(), method, probes);
  EXPECT_FALSE(out.result.changed);
  ASSERT_EQ(out.result.skipped.size(), 1u);
  EXPECT_EQ(out.result.skipped[0].reason, SkipReason::kCodeTooLarge);
  EXPECT_EQ(out.result.skipped[0].name, "m");
  method.code.erase(method.code.begin(), method.code.begin() + 4);
  EXPECT_EQ(rewrite_method(ClassBuilder(), method, probes).code().size(), 65'535u);
}

TEST(Rewriter, MethodsThatHotSpotWouldStopCompilingAreLeftAlone) {
  MethodSpec method;
  method.code.assign(7'996, 0x00);
  method.code.push_back(0xB1);
  MarkProbes probes;
  auto out = rewrite_method(ClassBuilder(), method, probes);
  EXPECT_FALSE(out.result.changed);
  ASSERT_EQ(out.result.skipped.size(), 1u);
  EXPECT_EQ(out.result.skipped[0].reason, SkipReason::kHugeMethod);

  method.code.erase(method.code.begin());
  EXPECT_EQ(rewrite_method(ClassBuilder(), method, probes).code().size(), 8'000u);
  method.code.insert(method.code.begin(), 5, 0x00);
  EXPECT_TRUE(rewrite_method(ClassBuilder(), method, probes).result.changed)
      << "it was too large before";
  method.code.resize(7'996, 0x00);
  method.code.back() = 0xB1;
  method.name = "<clinit>";
  EXPECT_TRUE(rewrite_method(ClassBuilder(), method, probes).result.changed) << "runs once";
}

TEST(Rewriter, SubroutinesAreRefusedAndOtherMethodsAreNot) {
  ClassBuilder builder(48);
  builder.add({.name = "sub", .max_locals = 1, .code = {0xA8, 0, 4, 0xB1, 0x4B, 0xA9, 0}});
  builder.add({.name = "wide_ret", .max_locals = 1, .code = {0xB1, 0xC4, 0xA9, 0, 0}});
  builder.add({.code = {0xB1}});
  MarkProbes probes;
  const auto out = rewrite_class(builder.build(), probes);
  ASSERT_EQ(out.result.skipped.size(), 2u);
  EXPECT_EQ(out.result.skipped[0].reason, SkipReason::kJsrRet);
  EXPECT_EQ(out.result.skipped[1].name, "wide_ret");
  EXPECT_EQ(out.code("sub").size(), 7u);
  EXPECT_EQ(out.code("m").size(), 5u);
}

TEST(Rewriter, ExceptionRangesFollowTheirCodeAndTheEntryIsOutside) {
  ClassBuilder builder(49);
  const auto callee = builder.method("pkg/Other", "f", "()V");
  MarkProbes probes;
  // 0: invokestatic (covered) 3: return 4: pop (handler) 5: return
  const auto out = rewrite_method(
      builder,
      {.code = {0xB8, high(callee), low(callee), 0xB1, kPop, 0xB1}, .ranges = {{0, 3, 4, 0}}},
      probes);
  ASSERT_EQ(out.attribute().ranges.size(), 1u);
  const ExceptionRange range = out.attribute().ranges[0];
  EXPECT_EQ(range.start, 2) << "behind the entry code";
  EXPECT_EQ(range.end, 9) << "the code around the call is covered";
  EXPECT_EQ(range.handler, 12);
}

TEST(Rewriter, AHandlerOfSeveralRangesIsMarkedOnce) {
  ClassBuilder builder(49);
  MarkProbes probes;
  const auto out = rewrite_method(
      builder, {.code = {0x00, 0x00, 0xB1, kPop, 0xB1}, .ranges = {{0, 1, 3, 0}, {1, 2, 3, 0}}},
      probes);
  const Bytes code = out.code();
  EXPECT_EQ(std::count(code.begin(), code.end(), kHandlerMark), 1);
}

TEST(Rewriter, AddsFieldsEvenWhenNoMethodChanges) {
  ClassBuilder builder;
  builder.add_field("old", "I");
  builder.add({.code = {0xB1}});
  MarkProbes probes;
  probes.wanted = false;
  const NewField field{"added", "J"};
  const Bytes bytes = builder.build();
  auto result = rewrite(bytes, probes, std::span(&field, 1));
  ASSERT_TRUE(result.ok());
  ASSERT_TRUE(result->changed);
  const auto read = read_class(result->bytes);
  ASSERT_TRUE(read.has_value());
  EXPECT_EQ(read->fields, (std::vector<std::string>{"old", "added"}));
}

}  // namespace
}  // namespace copse::classfile
