// Guards: what a probe throws where no stack is left for it is dropped. The method returns, the exception leaves it, or the
// handler runs all the same.
#include "rewriter_test_support.h"

namespace copse::classfile {
namespace {

constexpr std::uint8_t kDup = 0x59, kDup2 = 0x5C, kInvokestatic = 0xB8, kAthrow = 0xBF,
                       kAload1 = 0x2B;
constexpr std::uint8_t kTop = 0, kInt = 1, kObject = 7, kUninitializedThis = 6;

// Marks that may throw, at the common end of exceptions too.
class CallingMarks : public MarkProbes {
 public:
  explicit CallingMarks(bool unwinds = false) : unwinds_(unwinds) { marks_call = true; }
  void unwind(CodeEmitter& code) override {
    if (unwinds_) handler_start(code);
  }

 private:
  bool unwinds_;
};

// A class that has the constant of Throwable.
struct Marked {
  explicit Marked(std::uint16_t version = 52) : builder(version) {
    throwable = builder.type("java/lang/Throwable");
  }

  ClassBuilder builder;
  std::uint16_t throwable;
};

// The mark at a place; every method has that of its entry first.
Bytes mark(const Outcome& out, std::uint8_t which) {
  const Bytes code = out.code();
  return {which, kInvokestatic, code.at(2), code.at(3)};
}

Bytes joined(std::initializer_list<Bytes> parts) {
  Bytes all;
  for (const Bytes& part : parts) all.insert(all.end(), part.begin(), part.end());
  return all;
}

TEST(Guards, AMethodReturnsItsValueWhenTheProbeThrows) {
  struct Type {
    const char* descriptor;
    Bytes push, keep, take;  // at slot 0
    std::uint8_t returns, slots;
  };
  for (const Type& type :
       {Type{"()I", {0x03}, {kDup, 0x3B}, {0x1A}, 0xAC, 1},
        Type{"()J", {0x09}, {kDup2, 0x3F}, {0x1E}, 0xAD, 2},
        Type{"()F", {0x0B}, {kDup, 0x43}, {0x22}, 0xAE, 1},
        Type{"()D", {0x0E}, {kDup2, 0x47}, {0x26}, 0xAF, 2},
        Type{"()[I", {0x01}, {kDup, 0x4B}, {0x2A}, 0xB0, 1}, Type{"()V", {}, {}, {}, 0xB1, 0}}) {
    Marked marked;
    CallingMarks probes;
    Bytes code = type.push;
    code.push_back(type.returns);
    const auto out = rewrite_method(
        marked.builder, {.descriptor = type.descriptor, .max_stack = 2, .code = code}, probes);
    const Bytes body = joined({mark(out, kEntryMark), type.push, type.keep});
    const Bytes whole =
        joined({body, mark(out, kReturnMark), {type.returns, kPop}, type.take, {type.returns}});
    EXPECT_EQ(out.code(), whole) << type.descriptor;
    ASSERT_EQ(out.attribute().ranges.size(), 1u);
    const ExceptionRange range = out.attribute().ranges[0];
    EXPECT_EQ(range.start, body.size());
    EXPECT_EQ(range.end, body.size() + 4);
    EXPECT_EQ(range.handler, body.size() + 5);
    EXPECT_EQ(range.catch_type, 0);
    EXPECT_EQ(out.attribute().max_locals, type.slots);
    EXPECT_EQ(out.attribute().max_stack, type.slots == 2 ? 4 : 2);
    EXPECT_FALSE(out.part("StackMapTable").empty());
  }
}

TEST(Guards, TheFrameOfAResumedReturnHasTheResultsType) {
  Marked marked;
  const auto result = marked.builder.type("pkg/Result");
  const auto t = marked.throwable;
  CallingMarks probes;
  const auto out = rewrite_method(
      marked.builder, {.descriptor = "(I)Lpkg/Result;", .max_locals = 2, .code = {0x01, 0xB0}},
      probes);
  const std::uint8_t handler =
      4 + 1 + 2 + 4 + 1;  // entry, aconst_null, dup, astore_2, mark, areturn
  EXPECT_EQ(out.part("StackMapTable"),
            (Bytes{0, 1, 255, 0, handler, 0, 3, kTop, kTop, kObject, high(result), low(result), 0,
                   1, kObject, high(t), low(t)}));
}

// Marks that look at what is dropped.
class DroppingMarks final : public CallingMarks {
 public:
  void before_drop(CodeEmitter& code) override { handler_start(code); }
};

TEST(Guards, WhatABeforeDropDoesNotThrowLeavesTheMethod) {
  Marked marked;
  DroppingMarks probes;
  const auto out = rewrite_method(
      marked.builder, {.descriptor = "()I", .max_stack = 2, .code = {0x03, 0xAC}}, probes);
  const Bytes body =
      joined({mark(out, kEntryMark), {0x03, kDup, 0x3B}, mark(out, kReturnMark), {0xAC}});
  EXPECT_EQ(out.code(), joined({body, mark(out, kHandlerMark), {kAthrow, kPop, 0x1A, 0xAC}}));
  const auto& ranges = out.attribute().ranges;
  ASSERT_EQ(ranges.size(), 2u);
  EXPECT_EQ(ranges[0].handler, body.size());
  EXPECT_EQ(ranges[1].start, body.size());
  EXPECT_EQ(ranges[1].end, body.size() + 4) << "not the athrow";
  EXPECT_EQ(ranges[1].handler, body.size() + 5);
  const std::uint8_t h = high(marked.throwable), l = low(marked.throwable);
  EXPECT_EQ(out.part("StackMapTable"),
            (Bytes{0, 2, 255, 0, static_cast<std::uint8_t>(body.size()), 0, 1, kInt, 0, 1, kObject,
                   h, l, 64 + 4, kObject, h, l}));
}

TEST(Guards, ReturnsShareOneHandlerWhereTheVerifierHasFrames) {
  for (const bool has_frames : {false, true}) {
    Marked marked(has_frames ? 52 : 49);
    CallingMarks probes;
    // 0: iload_0; 1: ifeq 6; 4: iconst_0; 5: ireturn; 6: iconst_1; 7: ireturn
    MethodSpec method = {
        .descriptor = "(I)I", .max_locals = 1, .code = {0x1A, 0x99, 0, 5, 0x03, 0xAC, 0x04, 0xAC}};
    if (has_frames) method.parts = {{"StackMapTable", {0, 1, 6}}};
    const auto out = rewrite_method(marked.builder, method, probes);
    const auto& ranges = out.attribute().ranges;
    ASSERT_EQ(ranges.size(), 2u);
    EXPECT_EQ(ranges[1].handler - ranges[0].handler, has_frames ? 0 : 3);
    EXPECT_EQ(out.attribute().parts.empty(), !has_frames);
  }
}

TEST(Guards, ProbesThatCallNothingNeedNone) {
  MarkProbes probes;
  const auto out =
      rewrite_method(ClassBuilder(), {.descriptor = "()I", .code = {0x03, 0xAC}}, probes);
  EXPECT_EQ(out.code(), (Bytes{kEntryMark, kPop, 0x03, kReturnMark, kPop, 0xAC}));
  EXPECT_TRUE(out.attribute().ranges.empty());
  EXPECT_EQ(out.attribute().max_stack, 2);
}

TEST(Guards, AReturnOfAnotherTypeIsLeftToTheVerifier) {
  Marked marked;
  CallingMarks probes;
  const auto out =
      rewrite_method(marked.builder, {.descriptor = "()J", .code = {0x03, 0xAC}}, probes);
  EXPECT_TRUE(out.attribute().ranges.empty());
}

TEST(Guards, TheLocalOfTheResultIsReachedWide) {
  Marked marked;
  CallingMarks probes;
  const auto out = rewrite_method(
      marked.builder, {.descriptor = "()I", .max_locals = 300, .code = {0x03, 0xAC}}, probes);
  const Bytes code = out.code();
  EXPECT_EQ(Bytes(code.end() - 6, code.end()), (Bytes{kPop, 0xC4, 0x15, 1, 44, 0xAC}));
  EXPECT_EQ(out.attribute().max_locals, 301);
}

TEST(Guards, AMethodWithoutRoomForTheLocalIsLeftAlone) {
  Marked marked;
  CallingMarks probes;
  const auto out = rewrite_method(
      marked.builder, {.descriptor = "()I", .max_locals = 65'535, .code = {0x03, 0xAC}}, probes);
  ASSERT_EQ(out.result.skipped.size(), 1u);
  EXPECT_EQ(out.result.skipped[0].reason, SkipReason::kCodeTooLarge);
}

TEST(Guards, AnExceptionLeavesTheMethodWhenTheProbeThrowsAnother) {
  Marked marked;
  CallingMarks probes(true);
  const auto out = rewrite_method(marked.builder, {.max_locals = 1, .code = {0x00, 0xB1}}, probes);
  const Bytes body =
      joined({mark(out, kEntryMark), {0x00}, mark(out, kReturnMark), {0xB1, kDup, 0x4C}});
  EXPECT_EQ(
      out.code(),
      joined({body, mark(out, kHandlerMark), {kAthrow, kPop, kAload1, kAthrow}, {kPop, 0xB1}}));
  const auto& ranges = out.attribute().ranges;
  ASSERT_EQ(ranges.size(), 3u)
      << "the guards of the return and of the handler behind the code, its own";
  EXPECT_EQ(ranges[1].start, body.size());
  EXPECT_EQ(ranges[1].end, body.size() + 4);
  EXPECT_EQ(ranges[1].handler, body.size() + 5);
  EXPECT_EQ(ranges[2].handler, body.size() - 2);
  EXPECT_EQ(out.attribute().max_locals, 2);
  EXPECT_EQ(out.attribute().max_stack, 2);
  const std::uint8_t h = high(marked.throwable), l = low(marked.throwable);
  EXPECT_EQ(out.part("StackMapTable"),
            (Bytes{0,   3, 255,     0,       static_cast<std::uint8_t>(body.size() - 2),
                   0,   0, 0,       1,       kObject,
                   h,   l, 255,     0,       6,
                   0,   2, kTop,    kObject, h,
                   l,   0, 1,       kObject, h,
                   l,  //
                   255, 0, 2,       0,       0,
                   0,   1, kObject, h,       l}));
}

TEST(Guards, BeforeAConstructorCallsAnotherTheFramesHaveItsThis) {
  Marked marked;
  const auto super = marked.builder.method("java/lang/Object", "<init>", "()V");
  CallingMarks probes(true);
  const auto out =
      rewrite_method(marked.builder,
                     {.access = 1,
                      .name = "<init>",
                      .max_locals = 1,
                      .code = {0x01, 0xBE, 0x57, 0x2A, 0xB7, high(super), low(super), 0xB1}},
                     probes);
  const Bytes frames = out.part("StackMapTable", "<init>");
  const std::uint8_t h = high(marked.throwable), l = low(marked.throwable);
  const Bytes before = {255, 0, 2, 0, 1, kUninitializedThis, 0, 1, kObject, h, l};
  const Bytes resumed = {255, 0, 6, 0, 2, kUninitializedThis, kObject, h, l, 0, 1, kObject, h, l};
  const Bytes both = joined({before, resumed});
  EXPECT_NE(std::search(frames.begin(), frames.end(), both.begin(), both.end()), frames.end())
      << testing::PrintToString(frames);
}

TEST(Guards, AHandlerRunsWithItsExceptionWhenItsProbeThrows) {
  Marked marked;
  CallingMarks probes;
  // 0: nop 1: return 2: astore_0 (handler, covered by itself) 3: aload_0 4: athrow
  const auto runtime = marked.builder.type("java/lang/RuntimeException");
  const auto out =
      rewrite_method(marked.builder,
                     {.max_locals = 1,
                      .code = {0x00, 0xB1, 0x4B, 0x2A, kAthrow},
                      .ranges = {{0, 1, 2, 0}, {2, 4, 2, 0}},
                      .parts = {{"StackMapTable", {0, 1, 66, 7, high(runtime), low(runtime)}}}},
                     probes);
  const auto& ranges = out.attribute().ranges;
  const std::uint16_t handler = 10;          // entry 4, nop, return mark 4, return
  const std::uint16_t resume = handler + 9;  // behind dup, astore_1, the mark and a goto
  const std::uint16_t rejoin = resume + 2;   // behind pop, aload_1
  const std::uint16_t body = rejoin + 2;     // behind aconst_null, astore_1
  const Bytes code = out.code();
  EXPECT_EQ(Bytes(code.begin() + handler, code.end()),
            joined({{kDup, 0x4C},
                    mark(out, kHandlerMark),
                    {0xA7, 0, 5, kPop, kAload1, 0x01, 0x4C},
                    {0x4B, 0x2A, kAthrow, kPop, 0xB1}}));
  ASSERT_EQ(ranges.size(), 4u);
  EXPECT_EQ(ranges[0].start, handler + 2) << "behind dup, astore_1";
  EXPECT_EQ(ranges[0].end, resume);
  EXPECT_EQ(ranges[0].handler, resume) << "before the handler's range of its own";
  EXPECT_EQ(ranges[0].catch_type, 0);
  EXPECT_EQ(ranges[1].handler, body + 3) << "of the return";
  EXPECT_EQ(ranges[2].handler, handler);
  EXPECT_EQ(ranges[3].start, handler);
  EXPECT_EQ(ranges[3].end, body + 2);
  EXPECT_EQ(ranges[3].handler, handler);
  EXPECT_EQ(out.attribute().max_locals, 2);
  const auto r = runtime, t = marked.throwable;
  EXPECT_EQ(
      out.part("StackMapTable"),
      (Bytes{0,       4,      74,  7, high(r), low(r), 255, 0, 8, 0, 2,       0,     7, high(r),
             low(r),  0,      1,   7, high(t), low(t), 255, 0, 1, 0, 0,       0,     1, 7,
             high(r), low(r), 255, 0, 4,       0,      0,   0, 1, 7, high(t), low(t)}))
      << "the handler, where it resumes with another exception, where it rejoins; the return";
}

// Returns 7,900 bytes of a method that returns an int in two places, with a handler in between.
MethodSpec almost_huge(std::uint16_t runtime_exception) {
  Bytes code(7'900, 0x00);
  const Bytes end = {0x1A, 0x99, 0, 5, 0x03, 0xAC, 0x04, 0xAC, kPop, 0x05, 0xAC};
  std::copy(end.begin(), end.end(), code.end() - 11);
  const auto second = static_cast<std::uint16_t>(code.size() - 5);
  const auto handler = static_cast<std::uint16_t>(code.size() - 3);
  Bytes frames = {0,
                  2,
                  251,
                  high(second),
                  low(second),
                  64 + 1,
                  kObject,
                  high(runtime_exception),
                  low(runtime_exception)};
  return {.descriptor = "(I)I",
          .max_locals = 1,
          .code = code,
          .ranges = {{0, second, handler, 0}},
          .parts = {{"StackMapTable", frames}}};
}

// Marks that fill a method: so many more bytes at its entry.
class FillingMarks final : public CallingMarks {
 public:
  explicit FillingMarks(std::uint32_t bytes, bool needs_handlers = true)
      : bytes_(bytes), needs_handlers_(needs_handlers) {}
  void entry(CodeEmitter& code) override {
    CallingMarks::entry(code);
    for (std::uint32_t i = 0; i < bytes_; i += 2) {
      code.push_int(0);
      code.op(kPop);
    }
  }
  bool needs_handler_start() const override { return needs_handlers_; }

 private:
  std::uint32_t bytes_;
  bool needs_handlers_;
};

// entry 4, returns 3 x 6, handler 4 + 2 + 3 + 2 + 2, behind the code 3
TEST(Guards, ReturnsJoinWhereAMethodWouldBeTooLargeToBeCompiled) {
  Marked marked;
  const auto runtime = marked.builder.type("java/lang/RuntimeException");
  FillingMarks fits(62);
  const auto whole = rewrite_method(marked.builder, almost_huge(runtime), fits);
  ASSERT_EQ(whole.code().size(), 8'000u);
  FillingMarks probes(64);
  const auto out = rewrite_method(marked.builder, almost_huge(runtime), probes);
  // Each return is a jump of three bytes; the probe and the return, of one, are behind the code.
  ASSERT_EQ(out.code().size(), 8'002u - 3 * 6 + 3 * 2 + 7);
  const Bytes code = out.code();
  const std::size_t tail = code.size() - 10;  // dup, istore_1, mark, ireturn, pop, iload_1, ireturn
  EXPECT_EQ(Bytes(code.begin() + static_cast<std::ptrdiff_t>(tail), code.end()),
            joined({{kDup, 0x3C}, mark(out, kReturnMark), {0xAC, kPop, 0x1B, 0xAC}}));
  EXPECT_EQ(Bytes(code.begin() + static_cast<std::ptrdiff_t>(tail) - 4,
                  code.begin() + static_cast<std::ptrdiff_t>(tail)),
            (Bytes{0x05, 0xA7, 0, 3}));
  const auto& ranges = out.attribute().ranges;
  ASSERT_EQ(ranges.size(), 3u) << "of the handler's start, of the return, and the method's own";
  EXPECT_EQ(ranges[1].start, tail + 2);
  EXPECT_EQ(ranges[1].end, tail + 6);
  EXPECT_EQ(ranges[1].handler, tail + 7);
  const Bytes frames = out.part("StackMapTable");
  const Bytes of_joined = {0, 0, 0, 1, kInt, 255, 0, 6, 0, 2, kTop, kInt};
  EXPECT_NE(std::search(frames.begin(), frames.end(), of_joined.begin(), of_joined.end()),
            frames.end())
      << testing::PrintToString(frames);
}

TEST(Guards, HandlersHaveNoProbeThereWhereTheSetDoesWithoutIt) {
  Marked marked;
  const auto runtime = marked.builder.type("java/lang/RuntimeException");
  FillingMarks probes(68, false);
  const auto out = rewrite_method(marked.builder, almost_huge(runtime), probes);
  EXPECT_EQ(out.code().size(), 8'006u - 3 * 6 + 3 * 2 + 7 - 13);
  EXPECT_TRUE(out.result.has_bare_handlers);
  FillingMarks fits(64, false);
  const auto whole = rewrite_method(marked.builder, almost_huge(runtime), fits);
  EXPECT_EQ(whole.code().size(), 8'002u - 3 * 6 + 3 * 2 + 7) << "they have it where there is room";
  EXPECT_FALSE(whole.result.has_bare_handlers);
  FillingMarks too_many(84, false);
  const auto skipped = rewrite_method(marked.builder, almost_huge(runtime), too_many).result;
  ASSERT_EQ(skipped.skipped.size(), 1u);
  EXPECT_EQ(skipped.skipped[0].reason, SkipReason::kHugeMethod);
}

TEST(Guards, OldClassesKeepAProbeForEachReturn) {
  Marked marked(49);
  FillingMarks probes(64);
  MethodSpec method = almost_huge(marked.builder.type("java/lang/RuntimeException"));
  method.parts.clear();
  EXPECT_EQ(rewrite_method(marked.builder, method, probes).result.skipped.size(), 1u);
}

}  // namespace
}  // namespace copse::classfile
