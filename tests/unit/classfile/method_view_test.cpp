// Facts that a ProbeSet is told about a method.
#include "rewriter_test_support.h"

namespace copse::classfile {
namespace {

void view_method(ClassBuilder builder, const MethodSpec& method,
                 const std::function<void(const MethodView&)>& check) {
  int seen = 0;
  MarkProbes probes;
  probes.on_begin = [&](const MethodView& view) {
    ++seen;
    check(view);
  };
  rewrite_method(std::move(builder), method, probes);
  EXPECT_EQ(seen, 1);
}

TEST(MethodView, NamesTheMethodAndItsClass) {
  const MethodSpec method = {
      .access = 0x0011, .name = "f", .descriptor = "(J)I", .max_locals = 3, .code = {0x03, 0xAC}};
  view_method(ClassBuilder(52, "a/B", "c/D"), method, [](const MethodView& view) {
    EXPECT_EQ(view.class_name, "a/B");
    EXPECT_EQ(view.super_name, "c/D");
    EXPECT_EQ(view.class_access, 0x0021);
    EXPECT_EQ(view.name, "f");
    EXPECT_EQ(view.descriptor, "(J)I");
    EXPECT_EQ(view.access, 0x0011);
    EXPECT_EQ(view.max_locals, 3);
    EXPECT_EQ(view.code_length, 2u);
    EXPECT_FALSE(view.has_handlers);
    EXPECT_FALSE(view.only_returns);
    EXPECT_TRUE(view.calls.empty());
  });
}

TEST(MethodView, KnowsMethodsThatOnlyReturn) {
  view_method(ClassBuilder(), {.code = {0xB1}},
              [](const MethodView& view) { EXPECT_TRUE(view.only_returns); });
}

TEST(MethodView, TellsWhetherAnythingLeadsBack) {
  const std::vector<std::pair<std::vector<std::uint8_t>, bool>> bodies = {
      {{0xA7, 0, 3, 0xB1}, false},          // goto the next
      {{0, 0xA7, 0xFF, 0xFF, 0xB1}, true},  // nop, goto it
      {{0xA7, 0, 0, 0xB1}, true},           // goto itself
      {{3, 0x99, 0, 4, 0, 0xB1}, false},    // iconst_0, ifeq beyond the nop
      {{3, 0x99, 0xFF, 0xFF, 0xB1}, true},  // iconst_0, ifeq back to it
  };
  for (const auto& [code, has_loop] : bodies) {
    view_method(ClassBuilder(), {.code = code},
                [&](const MethodView& view) { EXPECT_EQ(view.has_loop, has_loop); });
  }
}

TEST(MethodView, ListsEveryKindOfCallWithItsLine) {
  ClassBuilder builder;
  const auto method = builder.method("pkg/A", "v", "()V");
  const auto array = builder.method("[I", "clone", "()Ljava/lang/Object;");
  const auto interface = builder.interface_method("pkg/I", "i", "(I)V");
  const auto dynamic = builder.invoke_dynamic("run", "()Ljava/lang/Runnable;");
  const MethodSpec spec = {.code = {0xB6,
                                    high(array),
                                    low(array),
                                    0xB7,
                                    high(method),
                                    low(method),
                                    0xB8,
                                    high(method),
                                    low(method),
                                    0xB9,
                                    high(interface),
                                    low(interface),
                                    2,
                                    0,
                                    0xBA,
                                    high(dynamic),
                                    low(dynamic),
                                    0,
                                    0,
                                    0xB1},
                           // Not in order, as some compilers write it.
                           .parts = {{"LineNumberTable", big_endian({3, 9, 30, 3, 10, 6, 20})}}};
  view_method(builder, spec, [](const MethodView& view) {
    ASSERT_EQ(view.calls.size(), 5u);
    EXPECT_EQ(view.calls[0].owner, "[I");
    EXPECT_EQ(view.calls[0].line, -1) << "before the first line";
    EXPECT_EQ(view.calls[1].bci, 3u);
    EXPECT_EQ(view.calls[1].opcode, 0xB7);
    EXPECT_EQ(view.calls[1].line, 10);
    EXPECT_EQ(view.calls[2].line, 20);
    EXPECT_FALSE(view.calls[2].interface_owner);
    EXPECT_EQ(view.calls[3].owner, "pkg/I");
    EXPECT_EQ(view.calls[3].descriptor, "(I)V");
    EXPECT_TRUE(view.calls[3].interface_owner);
    EXPECT_EQ(view.calls[4].owner, "");
    EXPECT_EQ(view.calls[4].name, "run");
    EXPECT_EQ(view.calls[4].line, 30);
  });
}

// Returns what follows the first call of a method with this code, in which a call is 0xB8 0 0.
NextProbe next_probe(ClassBuilder builder, Bytes code) {
  const auto callee = builder.method("pkg/Other", "f", "()V");
  for (std::size_t at = 0; at < code.size(); ++at) {
    if (code[at] != 0xB8) continue;
    code[at + 1] = high(callee);
    code[at + 2] = low(callee);
    at += 2;
  }
  NextProbe result{};
  view_method(std::move(builder), {.max_locals = 4, .code = std::move(code)},
              [&](const MethodView& view) { result = view.calls[0].next; });
  return result;
}

TEST(MethodView, TellsWhichProbeFollowsACallWithNothingBetweenThatCanBeSeen) {
  const ClassBuilder builder;
  const auto next = [&](Bytes code) { return next_probe(builder, std::move(code)); };
  EXPECT_EQ(next({0xB8, 0, 0, 0xB1}), NextProbe::kReturn);
  EXPECT_EQ(next({0xB8, 0, 0, 0xB8, 0, 0, 0xB1}), NextProbe::kCall);
  EXPECT_EQ(next({0xB8, 0, 0, 0x1B, 0x10, 7, 0x60, 0x3C, 0x84, 1, 1, 0xB1}), NextProbe::kReturn)
      << "variables, a constant, an addition, iinc";
  for (const std::uint8_t op :
       Bytes{0x2E, 0x35, 0x4F, 0x56, 0x6C, 0x6D, 0x70, 0x71, 0x72, 0x73, 0xBE, 0xC2, 0xC3}) {
    EXPECT_EQ(next({0xB8, 0, 0, op, 0xB1}), NextProbe::kNone) << int{op};
  }
  for (const std::uint8_t op : Bytes{0xB2, 0xB3, 0xB4, 0xB5, 0xBB, 0xBD, 0xC0, 0xC1}) {
    EXPECT_EQ(next({0xB8, 0, 0, op, 0, 2, 0xB1}), NextProbe::kNone) << int{op};
  }
  EXPECT_EQ(next({0xB8, 0, 0, 0x99, 0, 3, 0xB1}), NextProbe::kNone) << "ifeq";
  EXPECT_EQ(next({0xB8, 0, 0, 0xA7, 0, 3, 0xB1}), NextProbe::kNone) << "goto";
  EXPECT_EQ(next({0xB8, 0, 0, 0xBF}), NextProbe::kNone) << "athrow";
}

TEST(MethodView, TellsOfAProbeThatFollowsACallInSixteenInstructions) {
  Bytes code = {0xB8, 0, 0};
  code.insert(code.end(), 16, 0x00);
  code.push_back(0xB1);
  EXPECT_EQ(next_probe(ClassBuilder(), code), NextProbe::kReturn);
  code.insert(code.end() - 1, 0x00);
  EXPECT_EQ(next_probe(ClassBuilder(), code), NextProbe::kNone);
}

TEST(MethodView, TellsOfNoProbeBehindAConstantThatMayBeMadeOrLoaded) {
  ClassBuilder builder;
  const auto string = builder.string("text");
  EXPECT_EQ(next_probe(builder, {0xB8, 0, 0, 0x12, low(string), 0x57, 0xB1}), NextProbe::kNone);
  const auto dynamic = builder.constant_dynamic("x", "J");
  EXPECT_EQ(next_probe(builder, {0xB8, 0, 0, 0x14, high(dynamic), low(dynamic), 0x58, 0xB1}),
            NextProbe::kNone);
  const auto number = builder.long_constant(7);
  EXPECT_EQ(next_probe(builder, {0xB8, 0, 0, 0x14, high(number), low(number), 0x58, 0xB1}),
            NextProbe::kReturn);
}

ImplicitCalls implicit_calls(const ClassBuilder& builder, Bytes code,
                             std::uint16_t access = 0x0001) {
  ImplicitCalls result{};
  code.push_back(0xB1);
  view_method(builder, {.access = access, .max_locals = 4, .code = std::move(code)},
              [&](const MethodView& view) { result = view.implicit_calls; });
  return result;
}

class ImplicitCallsOfFields : public testing::Test {
 protected:
  ImplicitCallsOfFields() {
    builder_.add_field("x", "I");
    own_ = builder_.field("pkg/Test", "x", "I");
    own_long_ = builder_.field("pkg/Test", "l", "J");
    inherited_ = builder_.field("pkg/Test", "inherited", "I");
    other_ = builder_.field("pkg/Other", "x", "I");
  }
  Bytes get(std::uint16_t field) { return {0xB4, high(field), low(field)}; }
  Bytes put(std::uint16_t field) { return {0xB5, high(field), low(field)}; }
  ImplicitCalls of(std::initializer_list<Bytes> pieces, std::uint16_t access = 0x0001) {
    Bytes code;
    for (const Bytes& piece : pieces) code.insert(code.end(), piece.begin(), piece.end());
    return implicit_calls(builder_, code, access);
  }

  ClassBuilder builder_;
  std::uint16_t own_, own_long_, inherited_, other_;
};

TEST_F(ImplicitCallsOfFields, FieldsOfThisMakeNone) {
  const Bytes aload_0 = {0x2A};
  EXPECT_EQ(of({aload_0, get(own_)}), ImplicitCalls::kNone);
  EXPECT_EQ(of({{0x19, 0}, get(own_)}), ImplicitCalls::kNone) << "aload 0";
  EXPECT_EQ(of({aload_0, {0x03, 0x04, 0x60}, put(own_)}), ImplicitCalls::kNone) << "this.x = 0 + 1";
  EXPECT_EQ(of({aload_0, {0x09}, put(own_long_)}), ImplicitCalls::kNone) << "a long field";
  EXPECT_EQ(of({aload_0, {0x59}, get(own_), {0x04, 0x60}, put(own_)}), ImplicitCalls::kNone)
      << "this.x++";
  EXPECT_EQ(of({aload_0, {0x03, 0x5A}, put(own_)}), ImplicitCalls::kNone) << "y = this.x = 0";
}

TEST_F(ImplicitCallsOfFields, FieldsOfWhatMayBeNullMakeVmExceptions) {
  const Bytes aload_0 = {0x2A};
  EXPECT_EQ(of({{0x2B}, get(own_)}), ImplicitCalls::kVmExceptions);
  EXPECT_EQ(of({{0x2B, 0x09}, put(own_long_)}), ImplicitCalls::kVmExceptions);
  EXPECT_EQ(of({aload_0, get(own_)}, 0x0009), ImplicitCalls::kVmExceptions) << "a static method";
  EXPECT_EQ(of({{0x01, 0x4B}, aload_0, get(own_)}), ImplicitCalls::kVmExceptions)
      << "local 0 is stored to";
  EXPECT_EQ(of({{0x01, 0xC4, 0x3A, 0, 0}, aload_0, get(own_)}), ImplicitCalls::kVmExceptions)
      << "also by a wide store";
  EXPECT_EQ(of({aload_0, {0x01, 0x5F}, put(own_)}), ImplicitCalls::kVmExceptions) << "swapped";
}

TEST_F(ImplicitCallsOfFields, WhatIsOnTheStackWhenJumpedToIsUnknown) {
  // 0: aload_0 1: goto 4 4: getfield
  EXPECT_EQ(of({{0x2A, 0xA7, 0, 3}, get(own_)}), ImplicitCalls::kVmExceptions);
}

TEST_F(ImplicitCallsOfFields, OtherClassesMayHaveToBeLoaded) {
  EXPECT_EQ(of({{0x2A}, get(other_)}), ImplicitCalls::kClassLoading);
  EXPECT_EQ(of({{0xB2, high(other_), low(other_)}}), ImplicitCalls::kClassLoading);
  EXPECT_EQ(of({{0xB2, high(own_), low(own_)}}), ImplicitCalls::kNone);
  EXPECT_EQ(of({{0xB2, high(inherited_), low(inherited_)}}), ImplicitCalls::kClassLoading)
      << "perhaps of an interface that is not initialised yet";
}

TEST(ImplicitCallsOf, InstructionsByKind) {
  const ClassBuilder builder;
  const auto with = [&](Bytes code) { return implicit_calls(builder, std::move(code)); };
  EXPECT_EQ(with({0x03, 0x3C, 0x1B, 0x04, 0x60, 0x57}), ImplicitCalls::kNone);
  for (const std::uint8_t op :
       Bytes{0x2E, 0x35, 0x4F, 0x56, 0x6C, 0x6D, 0x70, 0x71, 0xBE, 0xBF, 0xC2, 0xC3}) {
    EXPECT_EQ(with({op}), ImplicitCalls::kVmExceptions) << int{op};
  }
  EXPECT_EQ(with({0xBC, 10}), ImplicitCalls::kVmExceptions) << "newarray";
  for (const std::uint8_t op : Bytes{0xBB, 0xBD, 0xC0, 0xC1}) {
    EXPECT_EQ(with({op, 0, 2}), ImplicitCalls::kClassLoading) << int{op};
  }
  EXPECT_EQ(with({0xC5, 0, 2, 1}), ImplicitCalls::kClassLoading) << "multianewarray";
}

TEST(ImplicitCallsOf, ConstantsByKind) {
  ClassBuilder builder;
  const auto string = builder.string("text");
  EXPECT_EQ(implicit_calls(builder, {0x12, low(string)}), ImplicitCalls::kNone);
  EXPECT_EQ(implicit_calls(builder, {0x12, low(builder.this_class())}),
            ImplicitCalls::kClassLoading);
}

TEST(ImplicitCallsOf, ObjectsConstructorRegistersFinalizers) {
  ClassBuilder builder(52, "java/lang/Object", "");
  EXPECT_EQ(implicit_calls(builder, {}), ImplicitCalls::kClassLoading);
}

}  // namespace
}  // namespace copse::classfile
