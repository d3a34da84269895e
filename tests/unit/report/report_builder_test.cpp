#include "report/model/report_builder.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace copse::report {
namespace {

using Column = std::vector<std::int32_t>;

struct Given {
  std::uint32_t parent;
  std::int32_t method, site;
};

class GivenContexts : public Contexts {
 public:
  explicit GivenContexts(std::vector<Given> given) : given_(std::move(given)) {}
  std::uint32_t count() const override { return static_cast<std::uint32_t>(given_.size()); }
  std::uint32_t parent(std::uint32_t context) const override { return given_[context].parent; }
  Name name(std::uint32_t context) const override {
    return {given_[context].method, given_[context].site};
  }

 private:
  std::vector<Given> given_;
};

TEST(RowsOf, ContextsOfAnyOrderBecomeRowsInPreOrder) {
  const Rows rows = rows_of(GivenContexts({{2, 5, 1}, {3, 7, -1}, {3, 6, -1}, {3, 0, 0}}));
  EXPECT_EQ(rows.nodes.parent, (Column{-1, 0, 1, 0}));
  EXPECT_EQ(rows.nodes.method, (Column{-1, 6, 5, 7}));
  EXPECT_EQ(rows.nodes.site, (Column{-1, -1, 1, -1}));
  EXPECT_EQ(rows.row_of, (Column{2, 3, 1, 0}));
}

TEST(RowsOf, SiblingsAreInTheOrderOfMethodThenSiteNoneFirst) {
  const Rows rows =
      rows_of(GivenContexts({{0, 0, 0}, {0, 3, 4}, {0, 3, -1}, {0, -1, -1}, {0, 2, 9}}));
  EXPECT_EQ(rows.nodes.method, (Column{-1, -1, 2, 3, 3}));
  EXPECT_EQ(rows.nodes.site, (Column{-1, -1, 9, -1, 4}));
}

TEST(RowsOf, EqualSiblingsAreOneRowWithTheChildrenOfAll) {
  const Rows rows =
      rows_of(GivenContexts({{0, 0, 0}, {0, 1, -1}, {0, 1, -1}, {1, 2, 0}, {2, 2, 0}, {2, 3, 0}}));
  EXPECT_EQ(rows.nodes.parent, (Column{-1, 0, 1, 1}));
  EXPECT_EQ(rows.row_of, (Column{0, 1, 1, 2, 2, 3}));
  EXPECT_EQ(sums_by_row(std::vector<std::uint64_t>{0, 1, 2, 3, 4, 5}, rows.row_of, 4),
            (std::vector<std::uint64_t>{0, 3, 7, 5}));
}

TEST(RowsOf, SeveralRootsAreOne) {
  const Rows rows = rows_of(GivenContexts({{0, 0, 0}, {0, 1, -1}, {2, 0, 0}, {2, 1, -1}}));
  EXPECT_EQ(rows.nodes.method, (Column{-1, 1}));
  EXPECT_EQ(rows.row_of, (Column{0, 1, 0, 1}));
}

TEST(RowsOf, WhatIsLeftOutAndCirclesHaveNoRow) {
  constexpr std::uint32_t kOut = Contexts::kLeftOut;
  const Rows rows = rows_of(
      GivenContexts({{0, 0, 0}, {kOut, 1, -1}, {1, 2, -1}, {4, 3, -1}, {3, 3, -1}, {0, 4, -1}}));
  EXPECT_EQ(rows.nodes.method, (Column{-1, 4}));
  EXPECT_EQ(rows.row_of, (Column{0, -1, -1, -1, -1, 1}));
  EXPECT_EQ(sums_by_row(std::vector<std::uint64_t>{0, 9, 9, 9, 9, 1}, rows.row_of, 2),
            (std::vector<std::uint64_t>{0, 1}));
}

TEST(RowsOf, APathOfAMillionContextsNeedsNoRecursion) {
  constexpr std::uint32_t kDepth = 1'000'000;
  std::vector<Given> given{{0, 0, 0}};
  for (std::uint32_t i = 1; i <= kDepth; ++i) given.push_back({i - 1, 1, -1});
  ReportModel model;
  add_method({"A", "a", "()V", "", "", ""}, model.methods);
  add_method({"B", "b", "()V", "", "", ""}, model.methods);
  model.nodes = rows_of(GivenContexts(std::move(given))).nodes;
  model.nodes.calls = std::vector<std::uint64_t>(kDepth + 1, 1);
  measure_tree(model);
  EXPECT_EQ(model.totals.max_depth, kDepth);
  EXPECT_EQ(model.totals.contexts, kDepth);
}

TEST(SortNames, EqualMethodsAndSitesBecomeOneAndRowsFollow) {
  ReportModel model;
  add_method({"b.B", "run", "()V", "B.java", "app", ""}, model.methods);
  add_method({"a.A", "run", "()V", "A.java", "app", ""}, model.methods);
  add_method({"b.B", "run", "()V", "Other.java", "app", ""}, model.methods);
  add_method({"b.B", "run", "()V", "B.java", "boot", ""}, model.methods);
  add_site(0, 7, 3, model.sites);
  add_site(1, 9, 1, model.sites);
  add_site(2, 7, 3, model.sites);
  const NewNames now = sort_names(model.methods, model.sites);
  EXPECT_EQ(now.method, (Column{1, 0, 1, 2}));
  EXPECT_EQ(now.site, (Column{1, 0, 1}));
  EXPECT_EQ(model.methods.class_name, (std::vector<std::string>{"a.A", "b.B", "b.B"}));
  EXPECT_EQ(model.methods.source, (std::vector<std::string>{"A.java", "", "B.java"}));
  EXPECT_EQ(model.methods.loader, (std::vector<std::string>{"app", "app", "boot"}));
  EXPECT_EQ(model.sites.method, (Column{0, 1}));
  EXPECT_EQ(model.sites.line, (Column{9, 7}));
}

TEST(MeasureTree, CountsCallsDepthAndEvictedCalls) {
  ReportModel model;
  add_method({kEvictedClass, kEvictedName, "", "", "", ""}, model.methods);
  add_method({"a.A", "run", "()V", "", "", ""}, model.methods);
  model.nodes = {{-1, 0, 1, 1, 0}, {-1, 1, 0, 1, 1}, {-1, -1, -1, -1, -1}, {0, 10, 5, 2, 1}};
  measure_tree(model);
  EXPECT_EQ(model.totals.calls, 18u);
  EXPECT_EQ(model.totals.evicted_calls, 5u);
  EXPECT_EQ(model.totals.contexts, 4u);
  EXPECT_EQ(model.totals.max_depth, 2u);
}

}  // namespace
}  // namespace copse::report
