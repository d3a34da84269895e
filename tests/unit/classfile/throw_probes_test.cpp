// The probes of exceptions: what is emitted, and where it lies in a method.
#include <algorithm>
#include <array>
#include <vector>

#include "probes/shadow_stack_probes.h"
#include "rewriter_test_support.h"
#include "support/probe_text.h"

namespace copse::classfile {
namespace {

constexpr std::uint8_t kAthrow = 0xBF;

// Each method is method 7; callees record.
class ThrowingHost : public ProbeHost {
 public:
  std::optional<MethodId> method(const MethodView&) override { return MethodId{7}; }
  SiteOrdinal site(MethodId, std::uint32_t, std::int32_t) override { return SiteOrdinal{1}; }
  Callee callee(const CallSiteView&) override { return {}; }
};

class ThrowProbesTest : public testing::Test {
 protected:
  static constexpr std::array kThrows = {ThrowView{3, 31}, ThrowView{9, -1}};

  // A method that throws in two lines unless others are given, and calls another or nothing.
  void begin(bool calls, const ShadowStackProbeOptions& options,
             ImplicitCalls implicit = ImplicitCalls::kVmExceptions,
             std::span<const ThrowView> throws = kThrows) {
    static constexpr CallSiteView kCall{0, 1, 0xB8, "pkg/Other", "f", "()V", false};
    probes_.emplace(options, host_);
    MethodView view{};
    view.class_name = "pkg/Test";
    view.name = "m";
    view.descriptor = "()V";
    view.implicit_calls = implicit;
    if (calls) view.calls = std::span(&kCall, 1);
    view.throws = throws;
    ASSERT_TRUE(probes_->begin(view));
  }
  std::string entry() { return probes_->entry(text_), text_.take(); }
  std::string before_throw(std::size_t i) { return probes_->before_throw(text_, i), text_.take(); }
  std::string handler_start() { return probes_->handler_start(text_), text_.take(); }
  std::string unwind() { return probes_->unwind(text_), text_.take(); }

  ThrowingHost host_;
  std::optional<ShadowStackProbes> probes_;
  ProbeText text_;
};

constexpr ShadowStackProbeOptions kByProbes = {
    .word_in_thread = true, .counts_exceptions = true, .probes_throws = true};

TEST_F(ThrowProbesTest, KeepTheLineOfEachThrowAndCallNothing) {
  begin(true, kByProbes);
  EXPECT_EQ(before_throw(0), "int31 store1");
  EXPECT_EQ(before_throw(1), "int-1 store1");
  EXPECT_EQ(entry(), "int0 store1 int7 enter(I)J store0");
}

TEST_F(ThrowProbesTest, LookAtWhatArrivesBeforeTheWordIsPutRight) {
  begin(true, kByProbes);
  const std::string line = "load1 int0 store1";
  EXPECT_TRUE(probes_->needs_handler_start());
  EXPECT_EQ(handler_start(),
            "op89 int7 " + line + " caught(Ljava/lang/Object;II)V load0 restore(J)V");
  EXPECT_EQ(unwind(), "op89 int7 " + line + " passes(Ljava/lang/Object;II)V load0 unwind(J)V");
}

TEST_F(ThrowProbesTest, AMethodWithoutAFrameHasThemToo) {
  begin(false, kByProbes);
  EXPECT_EQ(entry(), "int0 store0 int7 leaf(I)V");
  EXPECT_EQ(before_throw(0), "int31 store0");
  EXPECT_EQ(handler_start(), "op89 int7 load0 int0 store0 caughtInLeaf(Ljava/lang/Object;II)V");
  EXPECT_EQ(unwind(), "op89 int7 load0 int0 store0 passesLeaf(Ljava/lang/Object;II)V");
}

TEST_F(ThrowProbesTest, AMethodThatThrowsNothingKeepsNoLine) {
  begin(true, kByProbes, ImplicitCalls::kVmExceptions, {});
  EXPECT_EQ(entry(), "int7 enter(I)J store0");
  EXPECT_EQ(handler_start(), "op89 int7 int0 caught(Ljava/lang/Object;II)V load0 restore(J)V");
}

// The constructors that called it by super() have no handler there.
TEST_F(ThrowProbesTest, AConstructorsEndByAnExceptionEndsTheConstructorsThatCalledItToo) {
  class Host final : public ThrowingHost {
   public:
    void constructs(MethodId constructor, SiteOrdinal site, const CallSiteView& call) override {
      told += std::to_string(raw(constructor)) + "@" + std::to_string(raw(site)) + " " +
              std::string(call.owner) + std::string(call.descriptor) + ";";
    }
    std::string told;
  };
  static constexpr CallSiteView kSuper{1, 1, 0xB7, "pkg/Base", "<init>", "(I)V", false};
  MethodView view{};
  view.class_name = "pkg/Test";
  view.name = "<init>";
  view.descriptor = "()V";
  view.implicit_calls = ImplicitCalls::kVmExceptions;
  view.calls = std::span(&kSuper, 1);
  view.constructor_call = 0;
  for (const bool ends : {false, true}) {
    for (const bool counts : {false, true}) {
      Host host;
      ShadowStackProbes probes(
          {.word_in_thread = true, .counts_exceptions = counts, .ends_constructors = ends}, host);
      ASSERT_TRUE(probes.begin(view));
      EXPECT_EQ(host.told, ends ? "7@1 pkg/Base(I)V;" : "");
      probes.before_return(text_);
      EXPECT_EQ(text_.take(), "load0 exit(J)V");
      probes.unwind(text_);
      EXPECT_EQ(text_.take(), std::string("load0 ") + (counts ? "unwind" : "exit") +
                                  (ends ? "Constructor" : "") + "(J)V");
    }
  }
}

TEST_F(ThrowProbesTest, WhatCannotThrowNeedsNoneAtItsEnd) {
  begin(false, kByProbes, ImplicitCalls::kNone);
  EXPECT_EQ(unwind(), "");
}

TEST_F(ThrowProbesTest, AreOnlyWhereExceptionsAreCountedByProbes) {
  begin(true, {.word_in_thread = true, .counts_exceptions = true});
  EXPECT_EQ(before_throw(0), "");
  EXPECT_FALSE(probes_->needs_handler_start());
  EXPECT_EQ(handler_start(), "load0 restore(J)V");
  EXPECT_EQ(unwind(), "load0 unwind(J)V");
}

// A byte at each throw.
class ThrowMarks final : public MarkProbes {
 public:
  void before_throw(CodeEmitter& code, std::size_t throw_index) override {
    code.push_int(static_cast<std::int32_t>(throw_index));
    code.op(kPop);
  }
};

TEST(ThrowsInAClass, EachHasItsProbeAndJumpsToItRunIt) {
  ThrowMarks probes;
  // 0: aload_0; 1: ifnull 6; 4: aload_0; 5: athrow; 6: aconst_null; 7: athrow
  const auto out = rewrite_method(ClassBuilder(),
                                  {.descriptor = "(Ljava/lang/Error;)V",
                                   .max_locals = 1,
                                   .code = {0x2A, 0xC6, 0, 5, 0x2A, kAthrow, 0x01, kAthrow},
                                   .parts = {{"StackMapTable", {0, 1, 6}}}},
                                  probes);
  EXPECT_EQ(out.code(), (Bytes{kEntryMark, kPop, 0x2A, 0xC6, 0, 7, 0x2A, 0x03, kPop, kAthrow, 0x01,
                               0x04, kPop, kAthrow}));
  EXPECT_EQ(out.part("StackMapTable"), (Bytes{0, 1, 10}));
}

// As javac has what releases a monitor: the handler covers itself, and throws.
TEST(ThrowsInAClass, AHandlerThatCoversItselfAndThrowsAtOnceHasBothProbes) {
  ThrowMarks probes;
  probes.marks_call = true;
  // 0: nop; 1: return; 2: athrow, handler of 0 to 3
  const auto out = rewrite_method(ClassBuilder(),
                                  {.code = {0x00, 0xB1, kAthrow},
                                   .ranges = {{0, 3, 2, 0}},
                                   .parts = {{"StackMapTable", {0, 1, 66, 7, 0, 2}}}},
                                  probes);
  const auto& ranges = out.attribute().ranges;
  ASSERT_EQ(ranges.size(), 3u) << "the second guards the return";
  // Exceptions of the probe at the handler's start end at the guard, those of its own code at its start.
  EXPECT_EQ(ranges[0].start, ranges[2].handler + 2);
  EXPECT_EQ(ranges[0].handler, ranges[0].end);
  const Bytes code = out.code();
  const Bytes throws = {kPop, 0x2A, 0x01,   0x4B,
                        0x03, kPop, kAthrow};  // aload_0, aconst_null, astore_0
  EXPECT_EQ(Bytes(code.begin() + ranges[0].handler, code.begin() + ranges[2].end), throws);
}

TEST(MethodView, ListsEveryThrowWithItsLine) {
  MarkProbes probes;
  std::vector<std::pair<std::uint32_t, std::int32_t>> throws;
  probes.on_begin = [&](const MethodView& view) {
    for (const ThrowView& thrown : view.throws) throws.emplace_back(thrown.bci, thrown.line);
  };
  rewrite_method(
      ClassBuilder(),
      {.code = {0x01, kAthrow, 0x01, kAthrow},
       .parts = {{"StackMapTable", {0, 1, 2}}, {"LineNumberTable", big_endian({2, 0, 5, 2, 8})}}},
      probes);
  EXPECT_EQ(throws, (std::vector<std::pair<std::uint32_t, std::int32_t>>{{1, 5}, {3, 8}}));
}

}  // namespace
}  // namespace copse::classfile
