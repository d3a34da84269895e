#include "cct/packets/uptree.h"

#include <gtest/gtest.h>

#include <vector>

#include "cct/cct.h"
#include "support/reference_tree.h"

namespace copse::cct {
namespace {

ContextKey key(unsigned method) { return context_key(kNoSite, MethodId{method}); }

class UptreeTest : public testing::Test {
 protected:
  std::uint32_t counted(std::uint32_t parent, unsigned method, std::uint64_t calls) {
    const std::uint32_t node = tree_.add(parent, key(method));
    tree_.add_calls(node, calls);
    return node;
  }

  Uptree tree_{shadowstack::anonymous_memory(), 1000};
};

TEST_F(UptreeTest, EqualContextsRepeatUntilTheyAreCollected) {
  const std::uint32_t a = counted(Uptree::kRoot, 1, 1);
  const std::uint32_t b = counted(Uptree::kRoot, 1, 1);
  EXPECT_NE(a, b);
  counted(a, 2, 3);
  counted(b, 2, 4);
  ASSERT_TRUE(tree_.collect({}));
  EXPECT_EQ(tree_.size(), 3u);
  EXPECT_EQ(tree_.calls(1), 2u);
  EXPECT_EQ(tree_.calls(2), 7u);
  EXPECT_EQ(tree_.parent(2), 1u);
}

TEST_F(UptreeTest, NodesWithoutCallsLiveAsLongAsARootOrADescendantNamesThem) {
  const std::uint32_t dead = counted(Uptree::kRoot, 1, 0);
  const std::uint32_t ancestor = counted(Uptree::kRoot, 2, 0);
  counted(ancestor, 3, 5);
  std::uint32_t root = counted(counted(dead, 4, 0), 5, 0);
  std::uint32_t none = Uptree::kNone;
  counted(Uptree::kRoot, 6, 0);
  std::vector<std::uint32_t*> roots{&root, &none};
  ASSERT_TRUE(tree_.collect(roots));
  EXPECT_EQ(tree_.size(), 6u);
  EXPECT_EQ(tree_.key(root), key(5));
  EXPECT_EQ(tree_.key(tree_.parent(root)), key(4));
  EXPECT_EQ(none, Uptree::kNone);
  ASSERT_TRUE(tree_.collect({}));
  EXPECT_EQ(tree_.size(), 3u) << "the root is gone";
}

TEST_F(UptreeTest, RootsOfDuplicatesBecomeEqual) {
  std::uint32_t a = counted(counted(Uptree::kRoot, 1, 1), 2, 1);
  std::uint32_t b = counted(counted(Uptree::kRoot, 1, 1), 2, 1);
  std::vector<std::uint32_t*> roots{&a, &b};
  ASSERT_TRUE(tree_.collect(roots));
  EXPECT_EQ(a, b);
}

TEST_F(UptreeTest, IsAddedToATree) {
  counted(counted(Uptree::kRoot, 1, 2), 2, 3);
  counted(counted(Uptree::kRoot, 1, 4), 2, 5);
  Cct tree;
  tree_.add_to(tree);
  EXPECT_EQ(test::tree_text(tree), "0 1@0 6\n1 2@0 8\n");
  tree_.clear();
  EXPECT_EQ(tree_.size(), 1u);
}

TEST(UptreeWithoutRoom, SaysSo) {
  Uptree tree(shadowstack::anonymous_memory(), 2);
  EXPECT_NE(tree.add(Uptree::kRoot, key(1)), Uptree::kNone);
  EXPECT_EQ(tree.add(Uptree::kRoot, key(2)), Uptree::kNone);
}

}  // namespace
}  // namespace copse::cct
