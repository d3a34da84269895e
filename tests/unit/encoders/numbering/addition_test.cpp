#include "encoders/numbering/addition.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "encoders/numbering/id_decode.h"
#include "support/numbering_samples.h"

namespace copse::encoders {
namespace {

using graph::CallGraph;
using test::edge;

// Methods and call sites of this run are those of the graph, but for method 7, which the graph
// calls 4, and what it cannot know: methods from 100 on.
class Names final : public graph::GraphNames {
 public:
  std::optional<MethodId> method(MethodId method) override {
    if (raw(method) >= 100) return std::nullopt;
    return method == MethodId{7} ? MethodId{4} : method;
  }
  std::optional<SiteOrdinal> site(MethodId, SiteOrdinal site) override { return site; }
};

// main(1) calls 2 and 3, both call 4 (3 at two sites), 4 calls 2 again: a cycle.
CallGraph sample() {
  CallGraph graph;
  for (const EdgeKey each : {entry_edge(MethodId{1}), edge(1, 1, 2), edge(1, 2, 3), edge(2, 1, 4),
                             edge(3, 1, 4), edge(3, 2, 4), edge(4, 1, 2)}) {
    graph.add(each);
  }
  return graph;
}

std::unique_ptr<AdditionNumbering> numbering(std::string_view scheme) {
  CallGraph graph = sample();
  GraphAdditions additions =
      scheme == kPcceName ? pcce_additions(graph) : deltapath_additions(graph);
  return std::make_unique<AdditionNumbering>(scheme, std::move(graph), std::move(additions),
                                             std::make_unique<Names>());
}

class Additions : public testing::TestWithParam<std::string_view> {};

TEST_P(Additions, GiveEveryContextOfTheGraphItsOwnCode) {
  const auto codes = numbering(GetParam());
  std::vector<std::uint64_t> seen;
  for (const std::vector<EdgeKey>& path :
       {std::vector{entry_edge(MethodId{1}), edge(1, 1, 2), edge(2, 1, 7)},
        std::vector{entry_edge(MethodId{1}), edge(1, 2, 3), edge(3, 1, 7)},
        std::vector{entry_edge(MethodId{1}), edge(1, 2, 3), edge(3, 2, 7)}}) {
    std::uint64_t code = 0;
    for (const EdgeKey each : path) {
      const auto mapping = codes->mapping(each, code);
      ASSERT_TRUE(mapping);
      code = (*mapping)(code);
    }
    const auto decoded = decode_id(*codes, IdPieceList(), context_id(code, MethodId{7}));
    ASSERT_TRUE(decoded.ok()) << decoded.message();
    EXPECT_EQ(*decoded, path);
    EXPECT_EQ(std::count(seen.begin(), seen.end(), code), 0);
    seen.push_back(code);
  }
}

TEST_P(Additions, StartPiecesAtCyclesAndWhereTheGraphEnds) {
  const auto codes = numbering(GetParam());
  EXPECT_TRUE(codes->mapping(edge(2, 1, 7), 0));
  EXPECT_EQ(codes->mapping(edge(7, 1, 2), 0), std::nullopt) << "closes a cycle";
  EXPECT_EQ(codes->mapping(edge(1, 3, 2), 0), std::nullopt) << "no such call site in the graph";
  EXPECT_EQ(codes->mapping(edge(1, 1, 100), 0), std::nullopt) << "no such method";
  EXPECT_EQ(codes->mapping(edge(100, 1, 2), 0), std::nullopt);
  EXPECT_EQ(codes->mapping(edge(1, 0, 2), 0), std::nullopt) << "called by the runtime";
}

TEST_P(Additions, AreReadFromWhatWasSaved) {
  const auto codes = numbering(GetParam());
  std::uint64_t code = 0;
  for (const EdgeKey each : {entry_edge(MethodId{1}), edge(1, 2, 3), edge(3, 2, 7)}) {
    code = (*codes->mapping(each, code))(code);
  }
  wire::StateWriter state;
  codes->save(state);
  AdditionNumbering read(GetParam());
  wire::StateReader in(state.bytes(), 0);
  read.load(in);
  ASSERT_TRUE(in.ok() && in.at_end()) << in.status().message();
  for (std::uint64_t any = 0; any < 10; ++any) {
    const auto live = codes->step_to(MethodId{7}, any, kNoMethod);
    const auto saved = read.step_to(MethodId{7}, any, kNoMethod);
    ASSERT_EQ(live.has_value(), saved.has_value()) << any;
    if (!live) continue;
    EXPECT_EQ(live->edge, saved->edge);
    EXPECT_EQ(live->code, saved->code);
  }
  EXPECT_TRUE(read.step_to(MethodId{7}, code, kNoMethod));
  EXPECT_EQ(read.step_to(MethodId{7}, 5000, kNoMethod), std::nullopt);
}

TEST_P(Additions, SurviveAnyStateThatAFileMayHold) {
  const auto codes = numbering(GetParam());
  for (const EdgeKey each : {entry_edge(MethodId{1}), edge(1, 1, 2), edge(1, 2, 3), edge(2, 1, 7),
                             edge(3, 1, 7), edge(3, 2, 7)}) {
    codes->mapping(each, 0);
  }
  wire::StateWriter state;
  codes->save(state);
  unsigned read_well = 0, decoded = 0;
  for (std::uint64_t seed = 1; seed <= 2000; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937_64 random(seed);
    std::vector<std::uint8_t> bytes = state.bytes();
    for (int i = 0; i < 3; ++i)
      bytes[random() % bytes.size()] = static_cast<std::uint8_t>(random());
    bytes.resize(bytes.size() - random() % 3);
    wire::StateReader in(bytes, 0);
    AdditionNumbering read(GetParam());
    read.load(in);
    if (!in.ok()) continue;
    ++read_well;
    for (int i = 0; i < 500; ++i) {
      const std::uint64_t id =
          context_id(random() % 64, MethodId{static_cast<std::uint32_t>(random() % 16)});
      const Result<CallPath> path = decode_id(read, IdPieceList(), id);
      if (!path.ok() || path->empty()) continue;
      ++decoded;
      ASSERT_EQ(callee_of(path->back()), id_method(id));
    }
  }
  EXPECT_GT(read_well, 100u);
  EXPECT_LT(read_well, 2000u);
  EXPECT_GT(decoded, 0u);
}

INSTANTIATE_TEST_SUITE_P(Schemes, Additions, testing::Values(kPcceName, kDeltaPathName),
                         [](const auto& scheme) { return std::string(scheme.param); });

TEST(PcceAdditions, CutWhatWouldPassTheLargestCode) {
  CallGraph graph;
  graph.add(entry_edge(MethodId{1}));
  for (unsigned method = 1; method < 12; ++method) {  // paths double from method to method
    graph.add(edge(method, 1, method + 1));
    graph.add(edge(method, 2, method + 1));
  }
  const GraphAdditions additions = pcce_additions(graph, 100);
  std::size_t cut = 0;
  for (const GraphAdditions::Edge& each : additions.edges) {
    if (each.shares.empty()) ++cut;
    for (const auto& share : each.shares) EXPECT_LE(each.addition + share.codes, 100u);
  }
  EXPECT_GT(cut, 0u);
}

}  // namespace
}  // namespace copse::encoders
