// How deep the operand stack is at each instruction.
#include "classfile/stack_depth.h"

#include <gtest/gtest.h>

#include "base/byte_reader.h"
#include "support/class_builder.h"

namespace copse::classfile {
namespace {

constexpr std::uint32_t kMaxStack = 9;

struct Depths {
  std::vector<std::uint32_t> before, behind;
};

class StackDepthsTest : public ::testing::Test {
 protected:
  Depths depths_of(const Bytes& code, const std::vector<ExceptionRange>& ranges = {}) {
    const Bytes file = builder_.build();
    ByteReader in(file);
    in.skip(8);
    ConstantPool pool;
    EXPECT_TRUE(pool.parse(file, in));
    InstructionList instructions;
    EXPECT_TRUE(instructions.decode(code, ranges));
    StackDepths depths;
    depths.compute(instructions, pool, kMaxStack);
    Depths found;
    for (std::size_t i = 0; i < instructions.all().size(); ++i) {
      found.before.push_back(depths.before(i));
      found.behind.push_back(depths.behind(i));
    }
    return found;
  }

  using Slots = std::vector<std::uint32_t>;
  static std::uint8_t high(std::uint32_t value) { return static_cast<std::uint8_t>(value >> 8); }
  static std::uint8_t low(std::uint32_t value) { return static_cast<std::uint8_t>(value); }

  ClassBuilder builder_;
};

TEST_F(StackDepthsTest, FollowsWhatInstructionsPushAndPop) {
  // iconst_0 lconst_0 pop2 ireturn
  const Depths found = depths_of({0x03, 0x09, 0x58, 0xAC});
  EXPECT_EQ(found.before, (Slots{0, 1, 3, 1}));
  EXPECT_EQ(found.behind, (Slots{1, 3, 1, 0}));
}

TEST_F(StackDepthsTest, ReadsDescriptorsOfCallsAndFields) {
  const auto callee = builder_.method("pkg/Other", "f", "(IJLjava/lang/String;[D)D");
  const auto field = builder_.field("pkg/Other", "g", "J");
  // aload_0 getfield; aload_0 iconst_0 lconst_0 aload_0 aload_0 invokevirtual
  const Depths found = depths_of({0x2A, 0xB4, high(field), low(field), 0x2A, 0x03, 0x09, 0x2A, 0x2A,
                                  0xB6, high(callee), low(callee), 0xAF});
  EXPECT_EQ(found.before, (Slots{0, 1, 2, 3, 4, 6, 7, 8, 4}));
  EXPECT_EQ(found.behind.back(), 2u);
}

TEST_F(StackDepthsTest, CountsTheDimensionsOfAnArrayOfArrays) {
  const auto type = builder_.type("[[[I");
  // iconst_0 iconst_0 multianewarray [[[I 2, areturn
  const Depths found = depths_of({0x03, 0x03, 0xC5, high(type), low(type), 2, 0xB0});
  EXPECT_EQ(found.behind, (Slots{1, 2, 1, 0}));
}

TEST_F(StackDepthsTest, SeesThroughWide) {
  // wide lload 300, wide lstore 300, return
  const Depths found = depths_of({0xC4, 0x16, 1, 44, 0xC4, 0x37, 1, 44, 0xB1});
  EXPECT_EQ(found.before, (Slots{0, 2, 0}));
}

TEST_F(StackDepthsTest, BeginsAHandlerWithTheExceptionAlone) {
  // lconst_0 pop2 return; handler: athrow
  const Depths found = depths_of({0x09, 0x58, 0xB1, 0xBF}, {{0, 3, 3, 0}});
  EXPECT_EQ(found.before.back(), 1u);
}

TEST_F(StackDepthsTest, CarriesADepthAlongABranchBackToCodeSeenOnlyThen) {
  // lconst_0, goto condition; body: pop, goto end; condition: iconst_0 dup ifeq body;
  // end: pop2 pop return
  const Depths found = depths_of({0x09, 0xA7, 0, 7,              // 0, 1
                                  0x57, 0xA7, 0, 8,              // 4: body, 5
                                  0x03, 0x59, 0x99, 0xFF, 0xFA,  // 8: condition, 9, 10
                                  0x57, 0x58, 0xB1});            // 13: end
  EXPECT_EQ(found.before[2], 3u) << "body";
  EXPECT_EQ(found.before[4], 2u) << "condition";
  EXPECT_EQ(found.before[7], 3u) << "end, reached from above first";
}

TEST_F(StackDepthsTest, CarriesADepthToEveryCaseOfASwitch) {
  // lconst_0 iconst_0 tableswitch(default: 28, 0: 29, 1: 30); each pops two and returns
  const Depths table =
      depths_of({0x09, 0x03, 0xAA, 0,    0,    0,    0,    26,   0,    0,    0,    0,
                 0,    0,    0,    1,    0,    0,    0,    29,   0,    0,    0,    32,
                 0x58, 0xB1, 0xB1, 0xB1, 0x58, 0xB1, 0xB1, 0x58, 0xB1, 0xB1, 0x58, 0xB1});
  EXPECT_EQ(table.before[2], 3u) << "the switch";
  for (const std::size_t reached : {7u, 10u, 13u}) EXPECT_EQ(table.before[reached], 2u) << reached;
}

TEST_F(StackDepthsTest, TakesTheDeclaredStackForCodeThatIsNeverReached) {
  const Depths found = depths_of({0xB1, 0x00, 0xB1});  // return nop return
  EXPECT_EQ(found.before, (Slots{0, kMaxStack, kMaxStack}));
}

TEST_F(StackDepthsTest, StaysWithinTheDeclaredStackWhateverTheCodeSays) {
  Bytes code(20, 0x09);  // lconst_0
  code.push_back(0xB1);
  for (const std::uint32_t depth : depths_of(code).behind) EXPECT_LE(depth, kMaxStack);
  EXPECT_EQ(depths_of({0x58, 0x58, 0xB1}).behind, (Slots{0, 0, 0}));  // pops of nothing
}

}  // namespace
}  // namespace copse::classfile
