#include "cct/inplace/inline_tree.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

namespace copse::cct {
namespace {

class InlineTreeTest : public testing::Test {
 protected:
  std::uint64_t slot(std::uint32_t number, std::uint32_t site) const {
    return reinterpret_cast<std::uint64_t>(&region_.node(number)) + kInlineSlots +
           site * kInlineSlotBytes;
  }
  std::uint32_t place(std::uint64_t slot, std::uint32_t method) {
    return tree_.place(slot, MethodId{method}, 4);
  }

  InlineRegion region_{shadowstack::anonymous_memory(), 1 << 20};
  MergedMethods merged_;
  InlineTree tree_{region_, merged_};
};

TEST_F(InlineTreeTest, KeepsTheNodesOfLiveFramesAndDropsOthers) {
  const std::uint32_t main = place(tree_.root_slot(), 1);
  const std::uint32_t gone = place(slot(main, 1), 2);
  const std::uint32_t live = place(slot(main, 2), 3);
  place(slot(gone, 1), 4);
  tree_.keep_only(slot(live, 0));
  EXPECT_EQ(tree_.node_count(), 3u);
  EXPECT_EQ(place(tree_.root_slot(), 1), main);
  EXPECT_EQ(place(slot(main, 2), 3), live);
}

// A callee entered before calls were lost stands further down the stack; the slot does not tell which
// one it is.
TEST_F(InlineTreeTest, DropsNothingWhileTheNextCalleesCallIsLost) {
  const std::uint32_t main = place(tree_.root_slot(), 1);
  const std::uint32_t work = place(slot(main, 1), 2);
  const std::uint32_t lost = tree_.place_lost();
  for (const std::uint32_t site : {0u, 1u, 1000u}) {
    EXPECT_EQ(place(slot(lost, site), 3), lost);
    tree_.keep_only(slot(lost, site));
    EXPECT_EQ(region_.node(main).method, 1u) << site;
    EXPECT_EQ(region_.node(work).method, 2u) << site;
    EXPECT_EQ(tree_.node_count(), 3u) << "ROOT and these; " << site;
  }
}

// Probes look at the first callee of a slot before the others.
TEST_F(InlineTreeTest, ShowsTheCalleeMetFirstUntilAnotherHasMoreCalls) {
  const std::uint64_t at = slot(place(tree_.root_slot(), 1), 1);
  const std::vector<std::uint32_t> callees = {place(at, 2), place(at, 3), place(at, 4)};
  EXPECT_EQ(number_in(at), callees[0]);
  region_.node(callees[0]).calls = 5;
  region_.node(callees[1]).calls = 5;
  region_.node(callees[2]).calls = 6;
  EXPECT_EQ(place(at, 3), callees[1]);
  EXPECT_EQ(number_in(at), callees[0]);
  EXPECT_EQ(place(at, 4), callees[2]);
  EXPECT_EQ(number_in(at), callees[2]);
  EXPECT_EQ(tree_.contexts().size(), 5u) << "ROOT and these";
}

TEST_F(InlineTreeTest, ShowsTheCommonestCalleeThroughAliasesWithoutLosingAny) {
  merged_.add_all();
  tree_.merge_from_here();
  const std::uint32_t visit = place(tree_.root_slot(), 1);
  const std::uint32_t first = place(slot(visit, 1), 2);
  const std::uint32_t again = place(slot(first, 1), 1);
  EXPECT_EQ(place(slot(again, 1), 2), first) << "an alias shows the other's callees";
  const std::uint32_t second = place(slot(visit, 1), 3);
  region_.node(second).calls = 1;
  EXPECT_EQ(place(slot(again, 1), 3), second);
  EXPECT_EQ(number_in(slot(visit, 1)), second);
  for (const std::uint32_t shown : {visit, again}) {
    EXPECT_EQ(place(slot(shown, 1), 2), first);
    EXPECT_EQ(place(slot(shown, 1), 3), second);
  }
  EXPECT_EQ(tree_.node_count(), 5u) << "ROOT, these and the alias";
}

TEST_F(InlineTreeTest, KeepsAliasesOfWhatIsLiveAndTheirCallers) {
  merged_.add_all();
  tree_.merge_from_here();
  const std::uint32_t visit = place(tree_.root_slot(), 1);
  const std::uint32_t child = place(slot(visit, 1), 2);
  const std::uint32_t again = place(slot(child, 2), 1);
  place(slot(visit, 3), 3);
  ASSERT_NE(again, visit);
  EXPECT_EQ(place(slot(again, 1), 2), child) << "an alias shows the other's callees";
  // The live frames are visit, child, again; the slot is the one that child was found in.
  tree_.keep_only(slot(visit, 1));
  EXPECT_EQ(tree_.node_count(), 4u) << "ROOT and these";
  EXPECT_EQ(region_.node(child).method, 2u);
  EXPECT_EQ(region_.node(again).method, 1u);
  EXPECT_EQ(place(slot(child, 2), 1), again);
}

TEST_F(InlineTreeTest, FindsEachOfManyCalleesOfASlot) {
  const std::uint32_t main = place(tree_.root_slot(), 1);
  std::vector<std::uint32_t> callees;
  for (std::uint32_t method = 2; method < 2000; ++method) {
    callees.push_back(place(slot(main, 1), method));
  }
  for (std::uint32_t method = 2; method < 2000; ++method) {
    EXPECT_EQ(place(slot(main, 1), method), callees[method - 2]);
    EXPECT_EQ(region_.node(callees[method - 2]).method, method);
  }
  EXPECT_EQ(tree_.node_count(), 2000u) << "ROOT, main and these";
}

}  // namespace
}  // namespace copse::cct
