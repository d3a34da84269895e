#include "classfile/method_analysis.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

namespace copse::classfile {
namespace {

using Code = std::vector<std::uint8_t>;

// The use of the result of the call at `bci`.
ResultUse use_in(const Code& code, std::uint32_t bci = 0) {
  InstructionList list;
  EXPECT_TRUE(list.decode(code, {}));
  return result_use(list, bci);
}

Code call_and(const Code& behind) {
  Code code = {0xB8, 0, 1};
  code.insert(code.end(), behind.begin(), behind.end());
  return code;
}

TEST(ResultUse, IsSeenInTheNextInstruction) {
  EXPECT_EQ(use_in(call_and({0x57, 0xB1})), ResultUse::kIgnored) << "pop";
  EXPECT_EQ(use_in(call_and({0x58, 0xB1})), ResultUse::kIgnored) << "pop2";
  EXPECT_EQ(use_in(call_and({0xC0, 0, 2, 0x57, 0xB1})), ResultUse::kIgnored) << "checkcast, pop";
  EXPECT_EQ(use_in(call_and({0xB0})), ResultUse::kUsed) << "areturn";
  EXPECT_EQ(use_in(call_and({0xB8, 0, 3, 0xB1})), ResultUse::kUsed) << "an argument";
  EXPECT_EQ(use_in(call_and({0x53, 0xB1})), ResultUse::kUsed) << "aastore";
  EXPECT_EQ(use_in(call_and({0x59, 0x57, 0x57, 0xB1})), ResultUse::kUsed) << "dup";
}

TEST(ResultUse, IsUnknownWhereNoCallIs) {
  EXPECT_EQ(use_in({0x01, 0x57, 0xB1}), ResultUse::kUnknown) << "aconst_null";
  EXPECT_EQ(use_in({0xB8, 0, 1, 0x57, 0xB1}, 1), ResultUse::kUnknown) << "inside of an instruction";
  EXPECT_EQ(use_in({0xB8, 0, 1, 0x57, 0xB1}, 99), ResultUse::kUnknown);
}

TEST(ResultUse, KnowsEveryKindOfCall) {
  EXPECT_EQ(use_in({0x2A, 0xB6, 0, 1, 0x57, 0xB1}, 1), ResultUse::kIgnored) << "invokevirtual";
  EXPECT_EQ(use_in({0x2A, 0xB7, 0, 1, 0x57, 0xB1}, 1), ResultUse::kIgnored) << "invokespecial";
  EXPECT_EQ(use_in({0x2A, 0xB9, 0, 1, 1, 0, 0x57, 0xB1}, 1), ResultUse::kIgnored)
      << "invokeinterface";
  EXPECT_EQ(use_in({0xBA, 0, 1, 0, 0, 0x57, 0xB1}), ResultUse::kIgnored) << "invokedynamic";
}

std::uint8_t operand(int value) { return static_cast<std::uint8_t>(value); }

// Stores of each type, with the slot behind them and in it, and a read of the same slot.
TEST(ResultUse, OfAVariableIsWhatReadsItsSlot) {
  for (std::uint8_t type = 0; type < 5; ++type) {
    const auto store = static_cast<std::uint8_t>(0x36 + type);
    const auto load = static_cast<std::uint8_t>(0x15 + type);
    EXPECT_EQ(use_in(call_and({store, 7, 0xB1})), ResultUse::kIgnored) << int{type};
    EXPECT_EQ(use_in(call_and({store, 7, load, 6, 0x57, 0xB1})), ResultUse::kIgnored);
    EXPECT_EQ(use_in(call_and({store, 7, load, 7, 0x57, 0xB1})), ResultUse::kUsed);
    EXPECT_EQ(use_in(call_and({store, 7, 0xC4, load, 0, 7, 0x57, 0xB1})), ResultUse::kUsed);
    EXPECT_EQ(use_in(call_and({0xC4, store, 1, 7, 0xC4, load, 1, 7, 0x57, 0xB1})),
              ResultUse::kUsed);
    EXPECT_EQ(use_in(call_and({0xC4, store, 1, 7, load, 7, 0x57, 0xB1})), ResultUse::kIgnored);
    for (std::uint8_t slot = 0; slot < 4; ++slot) {
      const auto short_store = static_cast<std::uint8_t>(0x3B + 4 * type + slot);
      const auto short_load = static_cast<std::uint8_t>(0x1A + 4 * type + slot);
      const auto other = static_cast<std::uint8_t>(0x1A + 4 * type + (slot + 1) % 4);
      EXPECT_EQ(use_in(call_and({short_store, 0xB1})), ResultUse::kIgnored);
      EXPECT_EQ(use_in(call_and({short_store, other, 0x57, 0xB1})), ResultUse::kIgnored);
      EXPECT_EQ(use_in(call_and({short_store, short_load, 0x57, 0xB1})), ResultUse::kUsed);
      EXPECT_EQ(use_in(call_and({short_store, load, slot, 0x57, 0xB1})), ResultUse::kUsed);
    }
  }
}

TEST(ResultUse, OfACounterIsAnIncrement) {
  EXPECT_EQ(use_in(call_and({0x36, 7, 0x84, 7, 1, 0xB1})), ResultUse::kUsed);
  EXPECT_EQ(use_in(call_and({0x36, 7, 0x84, 6, 1, 0xB1})), ResultUse::kIgnored);
  EXPECT_EQ(use_in(call_and({0x36, 7, 0xC4, 0x84, 0, 7, 0, 1, 0xB1})), ResultUse::kUsed);
}

TEST(ResultUse, FollowsBranches) {
  // aload_2 pop; call astore_2; goto 0: the loop reads what its end stores.
  EXPECT_EQ(use_in({0x2C, 0x57, 0xB8, 0, 1, 0x4D, 0xA7, 0xFF, 0xFA}, 2), ResultUse::kUsed);
  // aload_2 pop; call astore_2; return: what it reads was stored before.
  EXPECT_EQ(use_in({0x2C, 0x57, 0xB8, 0, 1, 0x4D, 0xB1}, 2), ResultUse::kIgnored);
  // call astore_2; aconst_null astore_2; aload_2 pop; return: another variable of the slot.
  EXPECT_EQ(use_in(call_and({0x4D, 0x01, 0x4D, 0x2C, 0x57, 0xB1})), ResultUse::kIgnored);
  // call astore_2; iload_0 ifeq +5; aconst_null astore_2; aload_2 pop; return: on one of two ways.
  EXPECT_EQ(use_in(call_and({0x4D, 0x1A, 0x99, 0, 5, 0x01, 0x4D, 0x2C, 0x57, 0xB1})),
            ResultUse::kUsed);
  // call astore_2; iload_0 lookupswitch { 1: the read; default: return }.
  Code code = call_and({0x4D, 0x1A, 0xAB});
  while (code.size() % 4 != 0) code.push_back(0);
  const int at = 5;
  const int end = static_cast<int>(code.size()) + 16;
  code.insert(code.end(),
              {0, 0, 0, operand(end + 2 - at), 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, operand(end - at)});
  code.insert(code.end(), {0x2C, 0x57, 0xB1});
  EXPECT_EQ(use_in(code), ResultUse::kUsed);
  code[static_cast<std::size_t>(end)] = 0x2B;  // aload_1
  EXPECT_EQ(use_in(code), ResultUse::kIgnored);
}

TEST(ResultUse, OfWhatAHandlerReadsIsNotKnownToBeNone) {
  // call astore_2; return; astore_3 aload_2 athrow.
  EXPECT_EQ(use_in(call_and({0x4D, 0xB1, 0x4E, 0x2C, 0xBF})), ResultUse::kUsed);
  // call astore_2; return; astore_2 aload_2 athrow: the handler's own.
  EXPECT_EQ(use_in(call_and({0x4D, 0xB1, 0x4D, 0x2C, 0xBF})), ResultUse::kIgnored);
  // call astore_2; jsr: not looked into.
  EXPECT_EQ(use_in(call_and({0x4D, 0xA8, 0, 4, 0xB1, 0x4B, 0xA9, 0})), ResultUse::kUsed);
}

}  // namespace
}  // namespace copse::classfile
