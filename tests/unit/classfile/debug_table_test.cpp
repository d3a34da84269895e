// Line numbers, local variables, type annotations and unknown attributes of code.
#include "rewriter_test_support.h"

namespace copse::classfile {
namespace {

// 0: nop 1: invokestatic 4: return; with marks: entry 0..1, nop 2, 3..4, call 5..7, 8..9, 10..11,
// return 12.
Bytes new_part(std::string name, Bytes content) {
  ClassBuilder builder;
  const auto callee = builder.method("pkg/Other", "f", "()V");
  MarkProbes probes;
  const MethodSpec method = {.max_locals = 1,
                             .code = {0x00, 0xB8, high(callee), low(callee), 0xB1},
                             .parts = {{name, std::move(content)}}};
  return rewrite_method(builder, method, probes).part(name);
}

bool is_refused(std::string name, Bytes content) {
  ClassBuilder builder;
  builder.add({.code = {0x00, 0xB1}, .parts = {{std::move(name), std::move(content)}}});
  MarkProbes probes;
  return !rewrite(builder.build(), probes).ok();
}

TEST(DebugTables, LineNumbersIncludeTheProbesOfTheirInstructions) {
  EXPECT_EQ(new_part("LineNumberTable", big_endian({3, 0, 10, 1, 11, 4, 12})),
            big_endian({3, 0, 10, 3, 11, 10, 12}));
}

TEST(DebugTables, LineNumbersWithinAnInstructionMoveWithIt) {
  EXPECT_EQ(new_part("LineNumberTable", big_endian({1, 2, 10})), big_endian({1, 3, 10}));
}

TEST(DebugTables, ArgumentsAreVisibleFromTheFirstByteOn) {
  const auto table = big_endian({2, 0, 5, 1, 1, 0, 4, 1, 1, 1, 0});
  EXPECT_EQ(new_part("LocalVariableTable", table), big_endian({2, 0, 13, 1, 1, 0, 10, 3, 1, 1, 0}));
  EXPECT_EQ(new_part("LocalVariableTypeTable", table),
            big_endian({2, 0, 13, 1, 1, 0, 10, 3, 1, 1, 0}));
}

TEST(DebugTables, TypeAnnotationsFollowWhatTheyAnnotate) {
  const Bytes content = {
      0,    6,                                            //
      0x40, 0,   1,   0, 1, 0, 3, 0, 0, 0, 0,   9, 0, 0,  // local variable 1..4
      0x42, 0,   0,   0, 0, 9, 0, 0,                      // exception parameter
      0x44, 0,   1,   1, 3, 0, 0, 9, 0, 0,                // new at 1, with a type path
      0x47, 0,   4,   2, 0, 0, 9, 0, 0,                   // cast at 4
      0x43, 0,   0,   0, 0, 9, 0, 1, 0, 5, '[', 0, 1, '@', 0, 9, 0, 0,  // nested annotation
      0x46, 255, 255, 0, 0, 9, 0, 0,                                    // beyond the code: kept
  };
  Bytes expected = content;
  expected[6] = 3;
  expected[8] = 7;   // the range ends behind the call's own code
  expected[26] = 5;  // the instruction itself, not the code before it
  expected[36] = 12;
  expected[45] = 2;
  EXPECT_EQ(new_part("RuntimeVisibleTypeAnnotations", content), expected);
  EXPECT_EQ(new_part("RuntimeInvisibleTypeAnnotations", content), expected);
}

TEST(DebugTables, AnnotatedExceptionParametersFollowTheirRange) {
  // The first range covers its own handler and is split.
  ClassBuilder builder(49);
  MarkProbes probes;
  probes.marks_call = true;
  const Bytes annotations = {0, 1, 0x42, 0, 1, 0, 0, 9, 0, 0};
  const auto out = rewrite_method(builder,
                                  {.code = {0x00, 0xB1, kPop, 0xB1, kPop, 0xB1},
                                   .ranges = {{0, 3, 2, 0}, {0, 1, 4, 7}},
                                   .parts = {{"RuntimeVisibleTypeAnnotations", annotations}}},
                                  probes);
  const Bytes moved = out.part("RuntimeVisibleTypeAnnotations");
  ASSERT_EQ(moved.size(), annotations.size());
  EXPECT_EQ(moved[4], 6) << "behind the guards of two handlers and three returns";
  EXPECT_EQ(out.attribute().ranges[moved[4]].catch_type, 7);
}

TEST(DebugTables, ObsoleteFramesAreLeftOut) { EXPECT_EQ(new_part("StackMap", {0, 0}), Bytes{}); }

TEST(DebugTables, UnknownAttributesAreCopied) {
  EXPECT_EQ(new_part("org.example.Unknown", {1, 2, 3}), (Bytes{1, 2, 3}));
}

TEST(DebugTables, MalformedOnesAreRefused) {
  EXPECT_TRUE(is_refused("LineNumberTable", big_endian({1, 3, 1})));
  EXPECT_TRUE(is_refused("LineNumberTable", big_endian({2, 0, 1})));
  EXPECT_TRUE(is_refused("LocalVariableTable", big_endian({1, 0, 3, 1, 1, 0})));
  EXPECT_TRUE(is_refused("RuntimeVisibleTypeAnnotations", {0, 1, 0x10, 0, 0}));
  Bytes nested = {0, 1, 0x42, 0, 0, 0, 0, 9, 0, 1, 0, 5};
  for (int depth = 0; depth < 10'000; ++depth) nested.insert(nested.end(), {'[', 0, 1});
  EXPECT_TRUE(is_refused("RuntimeVisibleTypeAnnotations", nested));
}

}  // namespace
}  // namespace copse::classfile
