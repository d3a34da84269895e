#include "classfile/monitor_blocks.h"

#include <gtest/gtest.h>

#include <vector>

namespace copse::classfile {
namespace {

using Kind = MonitorPlace::Kind;

struct FoundBlocks {
  std::vector<std::uint8_t> code;
  std::vector<ExceptionRange> ranges;
  std::vector<CallSiteView> calls;
  InstructionList instructions;
  MonitorBlocks blocks;

  FoundBlocks(std::vector<std::uint8_t> of, std::vector<ExceptionRange> covered,
              std::vector<CallSiteView> called = {}, bool is_constructor = false)
      : code(std::move(of)), ranges(std::move(covered)), calls(std::move(called)) {
    EXPECT_TRUE(instructions.decode(code, ranges));
    blocks.find(instructions, ranges, calls, is_constructor);
  }
  std::vector<std::vector<std::uint32_t>> places() const {
    std::vector<std::vector<std::uint32_t>> all;
    for (const MonitorPlace& place : blocks.places()) {
      all.push_back({place.bci, static_cast<std::uint32_t>(place.kind), place.level});
    }
    return all;
  }
};

constexpr auto kEnterPlace = static_cast<std::uint32_t>(Kind::kEnter);
constexpr auto kExitPlace = static_cast<std::uint32_t>(Kind::kExit);
constexpr auto kHandlerPlace = static_cast<std::uint32_t>(Kind::kHandler);

// synchronized (local 0) { } as javac makes it: aload_0 dup astore_1 monitorenter | aload_1 monitorexit
// goto 14 | astore_2 aload_1 monitorexit aload_2 athrow | return
const std::vector<std::uint8_t> kBlock = {0x2A, 0x59, 0x4C, 0xC2, 0x2B, 0xC3, 0xA7, 0,
                                          8,    0x4D, 0x2B, 0xC3, 0x2C, 0xBF, 0xB1};

TEST(MonitorBlocks, AreFoundWhereTheHandlerCoversItself) {
  const FoundBlocks found(kBlock, {{4, 6, 9, 0}, {9, 12, 9, 0}});
  EXPECT_EQ(found.blocks.levels(), 1u);
  EXPECT_EQ(found.places(), (std::vector<std::vector<std::uint32_t>>{
                                {3, kEnterPlace, 0}, {5, kExitPlace, 0}, {9, kHandlerPlace, 0}}));
}

TEST(MonitorBlocks, AreFoundWhereTheHandlerIsNotCovered) {
  const FoundBlocks found(kBlock, {{4, 6, 9, 0}});
  EXPECT_EQ(found.places(), (std::vector<std::vector<std::uint32_t>>{
                                {3, kEnterPlace, 0}, {5, kExitPlace, 0}, {9, kHandlerPlace, 0}}));
}

TEST(MonitorBlocks, AMethodWithoutThemHasNone) {
  const FoundBlocks found({0xB1}, {});
  EXPECT_EQ(found.blocks.levels(), 0u);
  EXPECT_TRUE(found.places().empty());
}

TEST(MonitorBlocks, AMonitorThatAnExceptionDoesNotGiveBackIsNoBlock) {
  const FoundBlocks found(kBlock, {});
  EXPECT_EQ(found.blocks.levels(), std::nullopt);
  EXPECT_TRUE(found.places().empty());
  EXPECT_EQ(FoundBlocks(kBlock, {{4, 6, 9, 7}}).blocks.levels(), std::nullopt) << "of one class";
}

TEST(MonitorBlocks, AMonitorThatIsHeldAtTheEndIsNoBlock) {
  // aload_0 monitorenter return | athrow
  EXPECT_EQ(FoundBlocks({0x2A, 0xC2, 0xB1, 0xBF}, {{2, 3, 3, 0}}).blocks.levels(), std::nullopt);
}

TEST(MonitorBlocks, AMonitorThatIsHeldOnOneOfTwoWaysIsNoBlock) {
  // iload_0 ifeq 6 aload_1 monitorenter | aload_1 monitorexit return | pop return
  EXPECT_EQ(
      FoundBlocks({0x1A, 0x99, 0, 5, 0x2B, 0xC2, 0x2B, 0xC3, 0xB1, 0x57, 0xB1}, {{6, 8, 9, 0}})
          .blocks.levels(),
      std::nullopt);
}

TEST(MonitorBlocks, AnExitInItsOwnHandlerBehindOtherCodeIsNoBlock) {
  // The handler calls something first: invokestatic between astore_2 and aload_1.
  const std::vector<std::uint8_t> code = {0x2A, 0x59, 0x4C, 0xC2, 0x2B, 0xC3, 0xA7, 0,    11,
                                          0x4D, 0xB8, 0,    1,    0x2B, 0xC3, 0x2C, 0xBF, 0xB1};
  const CallSiteView call{10, -1, 0xB8, "pkg/Other", "f", "()V", false};
  EXPECT_EQ(FoundBlocks(code, {{4, 6, 9, 0}, {9, 15, 9, 0}}, {call}).blocks.levels(), std::nullopt);
}

TEST(MonitorBlocks, WhatNoConstructorHasMadeYetIsNotGivenToProbes) {
  EXPECT_EQ(FoundBlocks(kBlock, {{4, 6, 9, 0}}, {}, true).blocks.levels(), std::nullopt);
}

}  // namespace
}  // namespace copse::classfile
