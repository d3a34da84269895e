#include "shadowstack/low_memory.h"

#include <gtest/gtest.h>
#include <sys/mman.h>

namespace copse::shadowstack {
namespace {

constexpr std::uint64_t kMiB = std::uint64_t{1} << 20;
constexpr std::uint64_t kLow = std::uint64_t{1} << 31;
constexpr std::uint64_t kEnd = std::uint64_t{34} << 30;

TEST(LowMemoryTest, ThePageStaysAndIsZero) {
  const std::uint64_t page = low_page();
  if (page == 0) GTEST_SKIP() << "something else is there";
  EXPECT_LT(page + 512 * 1024, kLow);
  EXPECT_EQ(*reinterpret_cast<const std::uint64_t*>(page), 0u);
  EXPECT_EQ(low_page(), page);
}

TEST(LowMemoryTest, RangesAreFreeAndDoNotOverlap) {
  const AddressRange first = reserve_low(kEnd, kMiB, 64 * kMiB);
  if (first.bytes == 0) GTEST_SKIP() << "no address space is free there, or it is limited";
  const AddressRange second = reserve_low(kEnd, kMiB, 64 * kMiB);
  EXPECT_GE(first.start, kLow);
  EXPECT_LE(first.start + first.bytes, kEnd);
  EXPECT_TRUE(second.bytes == 0 || second.start >= first.start + first.bytes ||
              second.start + second.bytes <= first.start);
  for (const AddressRange& range : {first, second}) {
    if (range.bytes != 0) munmap(reinterpret_cast<void*>(range.start), range.bytes);
  }
}

TEST(LowMemoryTest, ThereIsNoneWhereTooLittleIsFree) {
  EXPECT_EQ(reserve_low(kLow + kMiB, 1, kMiB).bytes, 0u);
  EXPECT_EQ(reserve_low(kEnd, kEnd, kEnd).bytes, 0u);
}

}  // namespace
}  // namespace copse::shadowstack
