// Properties of every tree: random ones, by seed.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <sstream>

#include "report/exports/json_writer.h"
#include "report/model/json_reader.h"
#include "report/model/model_builder.h"
#include "report/model/model_check.h"
#include "report/model/report_stats.h"
#include "report/model/row.h"
#include "report/text/text_formats.h"
#include "support/report_samples.h"

namespace copse::report {
namespace {

class AnyReport : public ::testing::TestWithParam<int> {
 protected:
  AnyReport() : seed_(static_cast<std::uint64_t>(GetParam())) {
    SCOPED_TRACE(seed_);
    program_ = testing::random_program(seed_, 1 + static_cast<std::uint32_t>(seed_ * 37 % 3000));
    Result<ReportModel> model = build_model(program_.tree, program_.tables);
    EXPECT_TRUE(model.ok());
    model_ = std::move(model).value();
  }

  const std::uint64_t seed_;
  testing::DemoProgram program_;
  ReportModel model_;
};

std::string json(const ReportModel& model) {
  StringOutput out;
  write_json(model, out);
  EXPECT_TRUE(out.finish().ok());
  return out.text();
}

// A context spelled out, independent of rows and ids.
std::string spelled(const ProgramTables& tables, const cct::ContextTree& tree, NodeIndex index) {
  std::string path;
  while (index != kRootNode) {
    const cct::ContextNode node = tree.node(index);
    const auto& method = tables.methods[raw(method_of(node.key))];
    const auto& caller = tables.methods[raw(method_of(tree.node(node.parent).key))];
    std::string site = "-";
    if (site_of(node.key) != kNoSite) {
      const auto& call = caller.sites[raw(site_of(node.key)) - 1u];
      site = std::to_string(call.line) + "," + std::to_string(call.bci);
    }
    path = site + ">" + method.class_name + "." + method.name + ";" + path;
    index = node.parent;
  }
  return path;
}

std::string spelled(const ReportModel& model, std::size_t row) {
  std::string path;
  while (row != 0) {
    const std::size_t method = at(model.nodes.method[row]);
    const std::int32_t site = model.nodes.site[row];
    const std::string where = site < 0 ? "-"
                                       : std::to_string(model.sites.line[at(site)]) + "," +
                                             std::to_string(model.sites.bci[at(site)]);
    path = where + ">" + model.methods.class_name[method] + "." + model.methods.name[method] + ";" +
           path;
    row = at(model.nodes.parent[row]);
  }
  return path;
}

TEST_P(AnyReport, KeepsEveryContextWithItsCalls) {
  std::map<std::string, std::uint64_t> expected, actual;
  for (std::uint32_t i = 1; i < program_.tree.node_count(); ++i) {
    expected[spelled(program_.tables, program_.tree, NodeIndex{i})] +=
        program_.tree.node(NodeIndex{i}).calls;
  }
  for (std::size_t row = 1; row < model_.nodes.parent.size(); ++row) {
    EXPECT_TRUE(actual.emplace(spelled(model_, row), model_.nodes.calls[row]).second);
  }
  EXPECT_EQ(actual, expected);
}

TEST_P(AnyReport, SatisfiesTheInvariants) {
  const Status status = check_invariants(model_);
  EXPECT_TRUE(status.ok()) << status.message();
  EXPECT_TRUE(model_.notes.empty()) << model_.notes.front();
  for (std::size_t row = 1; row < model_.nodes.parent.size(); ++row) {
    const std::int32_t site = model_.nodes.site[row];
    if (site < 0) continue;
    EXPECT_EQ(model_.sites.method[at(site)], model_.nodes.method[at(model_.nodes.parent[row])]);
  }
}

TEST_P(AnyReport, SurvivesJson) {
  const std::string text = json(model_);
  const Result<ReportModel> again = read_json(text, "report");
  ASSERT_TRUE(again.ok()) << again.message();
  EXPECT_EQ(json(*again), text);
}

// The same tree with its nodes in another valid order and its methods renumbered.
TEST_P(AnyReport, DoesNotDependOnTheOrderOfNodes) {
  std::mt19937_64 random(seed_ + 1);
  const std::uint32_t count = program_.tree.node_count();
  std::vector<std::uint32_t> new_method(program_.tables.methods.size());
  for (std::uint32_t i = 0; i < new_method.size(); ++i) new_method[i] = i;
  std::shuffle(new_method.begin() + 1, new_method.end(), random);
  ProgramTables tables = program_.tables;
  for (std::uint32_t i = 1; i < new_method.size(); ++i) {
    tables.methods[new_method[i]] = program_.tables.methods[i];
  }

  testing::ListedTree shuffled;
  std::vector<std::vector<std::uint32_t>> children(count);
  for (std::uint32_t i = 1; i < count; ++i) {
    children[raw(program_.tree.node(NodeIndex{i}).parent)].push_back(i);
  }
  struct Ready {
    std::uint32_t node;
    NodeIndex new_parent;
  };
  std::vector<Ready> ready;
  for (const std::uint32_t child : children[0]) ready.push_back({child, kRootNode});
  while (!ready.empty()) {
    std::swap(ready[random() % ready.size()], ready.back());
    const Ready next = ready.back();
    ready.pop_back();
    const cct::ContextNode node = program_.tree.node(NodeIndex{next.node});
    const NodeIndex added = shuffled.add(next.new_parent, raw(site_of(node.key)),
                                         new_method[raw(method_of(node.key))], node.calls);
    for (const std::uint32_t child : children[next.node]) ready.push_back({child, added});
  }
  const Result<ReportModel> other = build_model(shuffled, tables);
  ASSERT_TRUE(other.ok());
  EXPECT_EQ(json(*other), json(model_));
}

TEST_P(AnyReport, CollapsedLinesAddUpToAllCalls) {
  for (const std::uint64_t depth : {~std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{7}}) {
    StringOutput out;
    write_collapsed(model_, CollapsedOptions{depth}, out);
    ASSERT_TRUE(out.finish().ok());
    std::istringstream lines(out.text());
    std::uint64_t sum = 0;
    for (std::string line; std::getline(lines, line);) {
      const std::size_t space = line.rfind(' ');
      sum += std::stoull(line.substr(space + 1));
      const auto frames = static_cast<std::uint64_t>(std::count(line.begin(), line.end(), ';')) + 1;
      EXPECT_LE(frames, depth);
    }
    EXPECT_EQ(sum, model_.totals.calls);
  }
}

TEST_P(AnyReport, DerivedTablesAgreeWithADirectCount) {
  const NumberColumn inclusive = inclusive_values(model_.nodes, model_.nodes.calls);
  EXPECT_EQ(inclusive[0], model_.totals.calls);
  std::vector<MethodStats> expected(model_.methods.name.size());
  for (std::size_t row = 1; row < model_.nodes.parent.size(); ++row) {
    const std::uint64_t calls = model_.nodes.calls[row];
    expected[at(model_.nodes.method[row])].exclusive += calls;
    // A call belongs to each method on its path, once.
    std::vector<bool> seen(expected.size());
    for (std::size_t up = row; up != 0; up = at(model_.nodes.parent[up])) {
      const std::size_t method = at(model_.nodes.method[up]);
      if (!seen[method]) expected[method].inclusive += calls;
      seen[method] = true;
    }
  }
  const std::vector<MethodStats> actual = method_stats(model_, model_.nodes.calls, inclusive);
  for (std::size_t m = 0; m < expected.size(); ++m) {
    EXPECT_EQ(actual[m].exclusive, expected[m].exclusive);
    EXPECT_EQ(actual[m].inclusive, expected[m].inclusive);
  }
  const std::vector<MethodStats> by_path = method_stats(model_, model_.nodes.calls);
  std::vector<std::int32_t> some;
  for (std::size_t m = 0; m < expected.size(); ++m) {
    EXPECT_EQ(by_path[m].exclusive, expected[m].exclusive);
    EXPECT_EQ(by_path[m].inclusive, expected[m].inclusive);
    EXPECT_EQ(by_path[m].contexts, actual[m].contexts);
  }
  for (std::size_t row = 0; row < inclusive.size(); row += 3) {
    some.push_back(static_cast<std::int32_t>(row));
  }
  const NumberColumn at_some = inclusive_at(model_.nodes, model_.nodes.calls, some);
  for (std::size_t i = 0; i < some.size(); ++i) EXPECT_EQ(at_some[i], inclusive[at(some[i])]);
}

TEST_P(AnyReport, HottestContextsAreTheLargestCounts) {
  std::vector<std::uint64_t> all(model_.nodes.calls.begin() + 1, model_.nodes.calls.end());
  std::sort(all.rbegin(), all.rend());
  const std::vector<std::int32_t> hottest = hottest_contexts(model_.nodes.calls, 5);
  all.erase(std::find(all.begin(), all.end(), 0), all.end());
  ASSERT_EQ(hottest.size(), std::min<std::size_t>(5, all.size()));
  for (std::size_t i = 0; i < hottest.size(); ++i) {
    EXPECT_EQ(model_.nodes.calls[at(hottest[i])], all[i]);
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, AnyReport, ::testing::Range(1, 41));

}  // namespace
}  // namespace copse::report
