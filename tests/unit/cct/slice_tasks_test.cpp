#include "cct/inplace/slice_tasks.h"

#include <gtest/gtest.h>

#include <utility>
#include <vector>

#include "cct/cct.h"

namespace copse::cct {
namespace {

constexpr MethodId kSlice{1}, kTask{2}, kCallee{3};
const std::vector<ContextKey> kHere = {context_key(SiteOrdinal{0}, kSlice)};
const std::vector<ContextKey> kThere = {context_key(SiteOrdinal{1}, kSlice)};

SliceFacts facts_of(std::uint64_t calls, std::uint64_t cpu_ns = 5) {
  SliceFacts facts;
  facts.calls = calls;
  facts.cpu_ns = cpu_ns;
  return facts;
}

// A task below ROOT that calls one method from several call sites.
std::vector<ContextNode> task_nodes(std::uint64_t calls, std::uint16_t sites = 1) {
  std::vector<ContextNode> nodes = {{kRootNode, context_key(kNoSite, kNoMethod), 0},
                                    {kRootNode, context_key(SiteOrdinal{0}, kTask), 1}};
  for (std::uint16_t site = 0; site < sites; ++site) {
    nodes.push_back(
        {NodeIndex{1}, context_key(SiteOrdinal{site}, kCallee), site == 0 ? calls - 1 : 0});
  }
  return nodes;
}

Slice slice_with(std::uint64_t id) {
  Slice slice;
  static_cast<SliceFacts&>(slice) = facts_of(1);
  slice.id = id;
  slice.method = kSlice;
  slice.base = kHere;
  slice.nodes = {{kRootNode, kHere.front(), 1}};
  return slice;
}

class SliceTasksTest : public testing::Test {
 protected:
  SlicesSoFar so_far() const {
    const std::unique_ptr<Slices> all = slices_.copy();
    tasks_.add_held_to(*all);
    SlicesSoFar so_far = all->so_far();
    tasks_.count_in(so_far);
    return so_far;
  }

  Slices slices_{3};
  SliceTasks tasks_{slices_};
};

TEST_F(SliceTasksTest, ASliceHasItsOwnCallsAndThoseOfItsTasks) {
  const std::uint64_t slice = tasks_.add_slice();
  const std::uint64_t first = tasks_.hand_over(slice, kHere);
  const std::uint64_t second = tasks_.hand_over(slice, kThere);
  ASSERT_TRUE(tasks_.begin(first));
  tasks_.end(first, facts_of(7), {}, task_nodes(7), true);
  tasks_.end_slice(slice, slice_with(1));
  EXPECT_EQ(so_far().kept.front().slice->calls, 8);
  ASSERT_TRUE(tasks_.begin(second));
  EXPECT_EQ(so_far().tasks_open, 1);
  tasks_.end(second, facts_of(3), {}, task_nodes(3), true);
  const SlicesSoFar told = so_far();
  EXPECT_EQ(told.tasks_open, 0);
  EXPECT_EQ(told.sums.at(kSlice).calls, 11);
  const Slice& kept = *told.kept.front().slice;
  EXPECT_EQ(kept.cpu_ns, 15);
  ASSERT_EQ(kept.handed_over.size(), 2);
  EXPECT_EQ(kept.handed_over[1].at, kThere);
  EXPECT_EQ(kept.handed_over[1].calls, 3);
  ASSERT_EQ(kept.tasks.size(), 1);
  EXPECT_EQ(kept.tasks.front().parts.front().back().calls, 8);
}

TEST_F(SliceTasksTest, ManyTasksOfASliceTakeTheMemoryOfTheirContexts) {
  const std::uint64_t slice = tasks_.add_slice();
  for (std::uint64_t i = 0; i < 1000; ++i) {
    const std::uint64_t task = tasks_.hand_over(slice, kHere);
    ASSERT_TRUE(tasks_.begin(task));
    tasks_.end(task, facts_of(3), {}, task_nodes(3, 50), true);
  }
  tasks_.end_slice(slice, slice_with(1));
  EXPECT_EQ(so_far().sums.at(kSlice).calls, 3001);
  EXPECT_EQ(so_far().kept.front().slice->handed_over.front().tasks, 1000);
}

TEST_F(SliceTasksTest, PlacesBeyondTheMostAreCountedInTheLastOne) {
  const std::uint64_t slice = tasks_.add_slice();
  for (std::uint32_t i = 0; i < 400; ++i) {
    const std::uint64_t task =
        tasks_.hand_over(slice, {context_key(SiteOrdinal{0}, MethodId{i + 1})});
    ASSERT_EQ(SliceTasks::slice_of(task), slice);
    ASSERT_TRUE(tasks_.begin(task));
    tasks_.end(task, facts_of(2), {}, task_nodes(2), true);
  }
  tasks_.end_slice(slice, slice_with(1));
  const std::vector<HandedOver> places = so_far().kept.front().slice->handed_over;
  EXPECT_EQ(places.size(), 255);
  EXPECT_EQ(places.back().tasks, 146);
}

TEST_F(SliceTasksTest, ATaskThatWasNotFollowedMakesItsSliceOneFollowedInPart) {
  const std::uint64_t slice = tasks_.add_slice();
  const std::uint64_t task = tasks_.hand_over(slice, kHere);
  ASSERT_TRUE(tasks_.begin(task));
  tasks_.end(task, facts_of(0), {}, {}, false);
  tasks_.end_slice(slice, slice_with(1));
  EXPECT_EQ(so_far().in_part, 1);
  EXPECT_TRUE(so_far().sums.empty());
}

TEST_F(SliceTasksTest, TheOldestSlicesAreAddedUpAndTheirTasksAreLate) {
  std::vector<std::uint64_t> held;
  for (std::size_t i = 0; i < kMostHeldSlices + 2; ++i) {
    const std::uint64_t slice = tasks_.add_slice();
    held.push_back(tasks_.hand_over(slice, kHere));
    if (i == 0) {
      ASSERT_TRUE(tasks_.begin(held.front()));  // runs: this one stays
    }
    tasks_.end_slice(slice, slice_with(i + 1));
  }
  EXPECT_FALSE(tasks_.begin(held[1]));
  EXPECT_TRUE(tasks_.begin(held[3]));
  EXPECT_EQ(so_far().tasks_late, 1);
  EXPECT_EQ(so_far().tasks_open, 2);
  EXPECT_EQ(so_far().sums.at(kSlice).slices, kMostHeldSlices + 2);
}

TEST_F(SliceTasksTest, SlicesThatWereForgottenHaveNoLateTasks) {
  const std::uint64_t task = tasks_.hand_over(tasks_.add_slice(), kHere);
  tasks_.clear();
  EXPECT_FALSE(tasks_.begin(task));
  tasks_.end(task, facts_of(1), {}, task_nodes(1), true);
  EXPECT_EQ(so_far().tasks_late, 0);
}

}  // namespace
}  // namespace copse::cct
