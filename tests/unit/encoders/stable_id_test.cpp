#include "encoders/replay/stable_id.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "encoders/replay/pcc.h"
#include "random_program.h"

namespace copse::encoders {
namespace {

// A second run of the same program, in which the methods were met in another order.
MethodId renamed(MethodId method, std::uint32_t limit) {
  return method == kRootMethod ? method : MethodId{limit - raw(method)};
}
EdgeKey renamed(EdgeKey edge, std::uint32_t limit) {
  return edge_key({renamed(caller_of(edge), limit), site_of(edge).ordinal},
                  renamed(callee_of(edge), limit));
}

TEST(StableId, TokensAreEqualInRunsThatNumberMethodsDifferently) {
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    const RandomProgram first(seed, {});
    const std::uint32_t limit = first.graph.method_limit();
    graph::CallGraph graph;
    for (auto e = first.graph.edges().rbegin(); e != first.graph.edges().rend(); ++e) {
      graph.add(renamed(e->key, limit), e->calls + 5);
    }
    Trace trace = first.trace;
    for (TraceEvent& event : trace) {
      if (event.kind == TraceEvent::Kind::kCall) event.edge = renamed(event.edge, limit);
    }
    const auto name = [](MethodId m) { return site_constant(raw(m)); };
    const auto one = adapt<StableIdEncoder>(first.graph, name);
    const auto other =
        adapt<StableIdEncoder>(graph, [&](MethodId m) { return name(renamed(m, limit)); });
    const ReplayResult a = replay(*one, first.trace);
    const ReplayResult b = replay(*other, trace);
    EXPECT_EQ(a.bad() + b.bad(), 0u) << "seed " << seed;
    EXPECT_EQ(a.token_hex, b.token_hex) << "seed " << seed;
  }
}

TEST(StableId, AnIdAloneTellsMethodsApart) {
  ProgramShape shape;
  shape.cycles = false;
  const RandomProgram program(5, shape);
  StableIdEncoder stable(program.graph, [](MethodId m) { return std::uint64_t{raw(m)}; });
  auto& thread = stable.thread(ThreadIndex{0});
  std::map<std::uint64_t, CallPath> context_of_id;
  CallPath truth;
  for (const TraceEvent& event : program.trace) {
    if (event.kind == TraceEvent::Kind::kCall) {
      stable.call(thread, event.edge);
      truth.push_back(event.edge);
      const auto [at, fresh] = context_of_id.try_emplace(thread.id, truth);
      EXPECT_TRUE(fresh || at->second == truth);
    } else if (event.kind == TraceEvent::Kind::kReturn) {
      stable.ret(thread);
      truth.pop_back();
    } else if (event.kind == TraceEvent::Kind::kUnwind) {
      stable.unwind(thread, event.frames);
      truth.resize(truth.size() - event.frames);
    }
  }
  EXPECT_GT(context_of_id.size(), 3u);
}

// Under sanitizers: the method with the largest key has lost all its edges.
TEST(StableId, MethodsWithoutEdgesMayComeLast) {
  graph::CallGraph whole;
  whole.add(entry_edge(MethodId{1}));
  whole.add(edge_key({MethodId{2}, SiteOrdinal{1}}, MethodId{3}));
  const graph::CallGraph graph = whole.without([](MethodId method) { return raw(method) == 2; });
  StableIdEncoder encoder(graph, [](MethodId method) { return std::uint64_t{raw(method)}; });
  auto& thread = encoder.thread(ThreadIndex{0});
  encoder.start(thread);
  encoder.call(thread, entry_edge(MethodId{1}));
  const EdgeKey unknown = edge_key({MethodId{1}, SiteOrdinal{1}}, MethodId{3});
  encoder.call(thread, unknown);
  Token token;
  encoder.token(thread, token);
  EXPECT_EQ(*encoder.decode(token), (CallPath{entry_edge(MethodId{1}), unknown}));
}

}  // namespace
}  // namespace copse::encoders
