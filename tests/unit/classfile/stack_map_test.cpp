// Stack maps: where frames go, how probe locals are declared, which forms are chosen.
#include "rewriter_test_support.h"

namespace copse::classfile {
namespace {

constexpr std::uint8_t kTop = 0, kInt = 1, kLongType = 4, kObject = 7, kUninitialized = 8;

// nop; nop; nop; return: frames may be put at any bci. The entry code of a long local, at slots
// above 3, takes 3 bytes and the mark 2.
constexpr std::uint8_t kEntryBytes = 5;

MethodSpec with_frames(std::string descriptor, std::uint16_t max_locals, Bytes stack_map) {
  return {.descriptor = std::move(descriptor),
          .max_locals = max_locals,
          .code = {0x00, 0x00, 0x00, 0xB1},
          .parts = {{"StackMapTable", std::move(stack_map)}}};
}

Bytes new_frames(const MethodSpec& method, std::vector<LocalKind> kinds = {LocalKind::kLong},
                 ClassBuilder builder = ClassBuilder()) {
  MarkProbes probes;
  probes.kinds = std::move(kinds);
  return rewrite_method(std::move(builder), method, probes).part("StackMapTable");
}

TEST(StackMap, FramesNameTheProbeLocalBehindThePaddedLocals) {
  const auto frames = new_frames(with_frames("(IIII)V", 6, {0, 1, 1}));
  EXPECT_EQ(frames, (Bytes{0, 1, 254, 0, kEntryBytes + 1, kTop, kTop, kLongType}))
      << "appended to the method's arguments";
}

TEST(StackMap, FramesWithMorePaddingThanAppendTakesAreFull) {
  const auto frames = new_frames(with_frames("(I)V", 5, {0, 1, 1}));
  EXPECT_EQ(frames, (Bytes{0, 1, 255, 0, kEntryBytes + 1, 0, 6, kInt, kTop, kTop, kTop, kTop,
                           kLongType, 0, 0}));
}

TEST(StackMap, LaterFramesWithEqualLocalsStayShort) {
  const auto frames = new_frames(with_frames("(IIII)V", 4, {0, 3, 0, 0, 64, kInt}));
  EXPECT_EQ(frames, (Bytes{0, 3, 252, 0, kEntryBytes, kLongType, 0, 64, kInt}));
}

TEST(StackMap, AppendAndChopBecomeFullBehindTheFirstFrame) {
  // same at 0; append int at 1; chop it at 2
  const auto frames = new_frames(with_frames("(IIII)V", 5, {0, 3, 0, 252, 0, 0, kInt, 250, 0, 0}));
  EXPECT_EQ(frames, (Bytes{0,    3,                                        //
                           253,  0,    kEntryBytes, kTop,      kLongType,  //
                           255,  0,    0,           0,         6,         kInt, kInt,
                           kInt, kInt, kInt,        kLongType, 0,         0,  //
                           255,  0,    0,           0,         6,         kInt, kInt,
                           kInt, kInt, kTop,        kLongType, 0,         0}));
}

TEST(StackMap, LongsAndDoublesCountTwoSlotsWhenPadding) {
  const auto frames = new_frames(with_frames("(JD)V", 5, {0, 1, 0}));
  EXPECT_EQ(frames, (Bytes{0, 1, 253, 0, kEntryBytes, kTop, kLongType}));
}

TEST(StackMap, SeveralProbeLocalsAreListedInOrder) {
  const auto frames =
      new_frames(with_frames("(IIII)V", 4, {0, 1, 0}), {LocalKind::kInt, LocalKind::kLong});
  EXPECT_EQ(frames, (Bytes{0, 1, 253, 0, 3 + kEntryBytes, kInt, kLongType}));
}

TEST(StackMap, WithoutProbeLocalsFramesKeepTheirForm) {
  // same, append int, chop, full without locals
  const Bytes input = {0, 4, 0, 252, 0, 0, kInt, 250, 0, 0, 255, 0, 0, 0, 0, 0, 0};
  const auto result = new_frames(with_frames("(I)V", 2, input), {});
  Bytes expected = input;
  expected[2] = 2;  // the entry code; the return's mark comes behind its frame
  EXPECT_EQ(result, expected);
}

TEST(StackMap, FullFramesThatChangeNothingAreShortened) {
  const auto frames = new_frames(with_frames("(I)V", 1, {0, 1, 255, 0, 0, 0, 1, kInt, 0, 0}), {});
  EXPECT_EQ(frames, (Bytes{0, 1, 2}));
}

TEST(StackMap, OffsetsThatOutgrowTheShortFormAreExtended) {
  MethodSpec method = with_frames("()V", 0, {0, 1, 63});
  method.code.assign(70, 0x00);
  method.code.push_back(0xB1);
  EXPECT_EQ(new_frames(method, {}), (Bytes{0, 1, 251, 0, 65}));
  method.parts[0].content = {0, 1, 127, kInt};
  EXPECT_EQ(new_frames(method, {}), (Bytes{0, 1, 247, 0, 65, kInt}));
}

TEST(StackMap, UninitializedOffsetsFollowTheirNew) {
  ClassBuilder builder;
  const auto callee = builder.method("pkg/Other", "f", "()V");
  const auto type = builder.type("pkg/Other");
  // 0: invokestatic 3: new 6: nop (frame: the new object on the stack) 7: pop 8: return
  const MethodSpec method = {
      .code = {0xB8, high(callee), low(callee), 0xBB, high(type), low(type), 0x00, kPop, 0xB1},
      .parts = {{"StackMapTable", {0, 1, 64 + 6, kUninitialized, 0, 3}}}};
  // Marks: entry 2, before and after the call 2 each.
  EXPECT_EQ(new_frames(method, {}, builder), (Bytes{0, 1, 64 + 12, kUninitialized, 0, 9}));
}

TEST(StackMap, ANewInsideAHandlersStartIsNamedItselfNotTheProbeBeforeIt) {
  ClassBuilder builder;
  const auto type = builder.type("pkg/Other");
  const auto throwable = builder.type("java/lang/Throwable");
  // 0: nop 1: return 2: new (handler) 5: nop (frame) 6: return
  const MethodSpec method = {.code = {0x00, 0xB1, 0xBB, high(type), low(type), 0x00, 0xB1},
                             .ranges = {{0, 1, 2, 0}},
                             .parts = {{"StackMapTable",
                                        {0, 2, 64 + 2, kObject, high(throwable), low(throwable),  //
                                         255, 0, 2, 0, 0, 0, 2, kObject, high(throwable),
                                         low(throwable), kUninitialized, 0, 2}}}};
  const auto frames = new_frames(method, {}, builder);
  EXPECT_EQ(frames[2], 64 + 6) << "the handler's frame precedes its probe";
  EXPECT_EQ(frames.back(), 8);
}

TEST(StackMap, ParameterClassesAreFoundInThePool) {
  ClassBuilder builder;
  const auto string = builder.type("java/lang/String");
  const auto ints = builder.type("[I");
  const auto frames =
      new_frames(with_frames("(Ljava/lang/String;[I)V", 6, {0, 1, 0}), {LocalKind::kLong}, builder);
  EXPECT_EQ(frames, (Bytes{0,         1,       255,          0,           kEntryBytes, 0,
                           7,         kObject, high(string), low(string), kObject,     high(ints),
                           low(ints), kTop,    kTop,         kTop,        kTop,        kLongType,
                           0,         0}));
}

TEST(StackMap, ParameterClassesThatThePoolLacksAreAddedOnce) {
  ClassBuilder builder;
  const auto before = builder.pool_count();
  MarkProbes probes;
  probes.kinds = {LocalKind::kLong};
  const auto out = rewrite_method(
      builder, with_frames("(Ljava/lang/String;Ljava/lang/String;)V", 6, {0, 1, 0}), probes);
  const auto frames = out.part("StackMapTable");
  const auto index = static_cast<std::uint16_t>(frames[8] << 8 | frames[9]);
  ASSERT_GE(index, before);
  EXPECT_EQ(out.read->pool.class_name(index), "java/lang/String");
  EXPECT_EQ(frames[12], frames[9]);
}

TEST(StackMap, ConstructorsStartWithAnUninitializedThis) {
  MethodSpec method = with_frames("()V", 6, {0, 1, 0});
  method.access = 0x0001;
  method.name = "<init>";
  MarkProbes probes;
  probes.kinds = {LocalKind::kLong};
  const auto out = rewrite_method(ClassBuilder(), method, probes);
  EXPECT_EQ(out.part("StackMapTable", "<init>"), (Bytes{0, 1, 255, 0, kEntryBytes, 0, 7, 6, kTop,
                                                        kTop, kTop, kTop, kTop, kLongType, 0, 0}));
}

TEST(StackMap, MethodsOfObjectAndOthersStartWithThisClass) {
  for (const bool object : {false, true}) {
    ClassBuilder builder(52, object ? "java/lang/Object" : "pkg/Test",
                         object ? "" : "java/lang/Object");
    MethodSpec method = with_frames("()V", 6, {0, 1, 0});
    method.access = 0x0001;
    method.name = object ? "<init>" : "m";
    MarkProbes probes;
    probes.kinds = {LocalKind::kLong};
    const auto frames = rewrite_method(builder, method, probes).part("StackMapTable", method.name);
    EXPECT_EQ(frames[7], kObject);
    EXPECT_EQ(frames[8] << 8 | frames[9], builder.this_class());
  }
}

TEST(StackMap, OldClassesWithoutOneGetNone) {
  for (const int version : {45, 48, 49, 50}) {
    MarkProbes probes;
    probes.kinds = {LocalKind::kLong};
    const auto out = rewrite_method(ClassBuilder(static_cast<std::uint16_t>(version)),
                                    {.code = {0xA7, 0, 3, 0xB1}}, probes);
    ASSERT_TRUE(out.result.changed);
    EXPECT_TRUE(out.attribute().parts.empty());
  }
}

TEST(StackMap, OneThatAnOldClassCarriesFollowsTheCodeToo) {
  EXPECT_EQ(new_frames(with_frames("()V", 0, {0, 1, 1}), {}, ClassBuilder(49)), (Bytes{0, 1, 3}));
}

TEST(StackMap, MalformedOnesAreRefused) {
  const std::vector<Bytes> malformed = {
      {0, 1},                       // no frame
      {0, 1, 9},                    // beyond the code
      {0, 1, 0, 0},                 // bytes left over
      {0, 1, 248, 0, 0},            // chops more than there is
      {0, 1, 252, 0, 0, 8, 0, 77},  // uninitialized by no instruction
      {0, 1, 253, 0, 0, 4, 4},      // more slots than max_locals
      {0, 1, 255, 0, 0, 255, 255},  // count beyond the content
  };
  for (const Bytes& content : malformed) {
    ClassBuilder builder;
    builder.add(with_frames("()V", 2, content));
    MarkProbes probes;
    const auto result = rewrite(builder.build(), probes);
    EXPECT_FALSE(result.ok()) << testing::PrintToString(content);
  }
}

TEST(StackMap, FramesThatWouldNeedGigabytesAreRefused) {
  MethodSpec method = with_frames("()V", 65'000, {});
  method.code.assign(7'000, 0x00);
  method.code.push_back(0xB1);
  Bytes& frames = method.parts[0].content;
  frames = big_endian({7'000});
  for (int i = 0; i < 3'500; ++i) {
    frames.insert(frames.end(), {252, 0, 0, kInt});  // append
    frames.insert(frames.end(), {250, 0, 0});        // chop
  }
  MarkProbes probes;
  probes.kinds = {LocalKind::kLong};
  const auto out = rewrite_method(ClassBuilder(), method, probes);
  EXPECT_FALSE(out.result.changed);
  ASSERT_EQ(out.result.skipped.size(), 1u);
  EXPECT_EQ(out.result.skipped[0].reason, SkipReason::kStackMapTooLarge);
}

}  // namespace
}  // namespace copse::classfile
