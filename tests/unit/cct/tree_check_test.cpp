#include "cct/tree_check.h"

#include <gtest/gtest.h>

#include <vector>

#include "support/expect_fault.h"

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

Status check(std::vector<ContextNode> nodes) {
  return check_invariants(ListedTree(std::move(nodes)));
}

TEST(CheckInvariants, AcceptsASoundTree) {
  EXPECT_TRUE(check({kRoot, {kRootNode, 5, 1}, {NodeIndex{1}, 5, 0}, {kRootNode, 6, 2}}).ok());
}

TEST(CheckInvariants, NamesWhatIsWrong) {
  EXPECT_FAULT(check({}), kInternal, "no ROOT");
  EXPECT_FAULT(check({{kRootNode, 0, 3}}), kInternal, "node 0 ");
  EXPECT_FAULT(check({kRoot, {NodeIndex{2}, 5, 1}, {kRootNode, 5, 1}}), kInternal, "node 1 ");
  EXPECT_FAULT(check({kRoot, {kRootNode, std::uint64_t{3} << kSiteShift, 1}}), kInternal,
               "node 1 ");
  EXPECT_FAULT(check({kRoot, {kRootNode, 5 | kDepthOne, 1}}), kInternal, "node 1 ");
  EXPECT_FAULT(check({kRoot, {kRootNode, 5, 1}, {NodeIndex{1}, 7, 0}, {NodeIndex{1}, 7, 2}}),
               kInternal, "node 1 ");
}

}  // namespace
}  // namespace copse::cct
