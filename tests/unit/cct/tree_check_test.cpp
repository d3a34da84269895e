#include "cct/tree_check.h"

#include <gtest/gtest.h>

#include <vector>

namespace copse::cct {
namespace {

class ListedTree : public ContextTree {
 public:
  explicit ListedTree(std::vector<ContextNode> nodes) : nodes_(std::move(nodes)) {}
  std::uint32_t node_count() const noexcept override { return std::uint32_t(nodes_.size()); }
  ContextNode node(NodeIndex index) const noexcept override { return nodes_[raw(index)]; }

 private:
  std::vector<ContextNode> nodes_;
};

constexpr ContextNode kRoot{kRootNode, 0, 0};

std::string complaint(std::vector<ContextNode> nodes) {
  const Status status = check_invariants(ListedTree(std::move(nodes)));
  return status.ok() ? "" : status.message();
}

TEST(CheckInvariants, AcceptsASoundTree) {
  EXPECT_EQ(complaint({kRoot, {kRootNode, 5, 1}, {NodeIndex{1}, 5, 0}, {kRootNode, 6, 2}}), "");
}

TEST(CheckInvariants, NamesWhatIsWrong) {
  EXPECT_EQ(complaint({}), "context tree: no ROOT");
  EXPECT_EQ(complaint({{kRootNode, 0, 3}}), "context tree: node 0 is not ROOT");
  EXPECT_EQ(complaint({kRoot, {NodeIndex{2}, 5, 1}, {kRootNode, 5, 1}}),
            "context tree: node 1 comes before its parent");
  EXPECT_EQ(complaint({kRoot, {kRootNode, std::uint64_t{3} << kSiteShift, 1}}),
            "context tree: node 1 has no method");
  EXPECT_EQ(complaint({kRoot, {kRootNode, 5 | kDepthOne, 1}}),
            "context tree: node 1 has a key with a depth");
  EXPECT_EQ(complaint({kRoot, {kRootNode, 5, 1}, {NodeIndex{1}, 7, 0}, {NodeIndex{1}, 7, 2}}),
            "context tree: node 1 has two children of one key");
}

}  // namespace
}  // namespace copse::cct
