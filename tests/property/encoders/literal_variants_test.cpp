// How often the schemes fail as published or weakened, on random programs, beside their repaired forms on the
// same programs, which never do.
#include <gtest/gtest.h>

#include <cstdio>

#include "encoders/replay/deltapath.h"
#include "encoders/replay/luce.h"
#include "encoders/replay/pcc.h"
#include "encoders/replay/registry.h"
#include "random_program.h"
#include "support/test_scale.h"

namespace copse::encoders {
namespace {

// Prints the rates, so that a run can be set beside the specification's.
Trial trial_of(const char* name, const EncoderFactory& make, const ProgramShape& shape,
               std::uint64_t runs = 120) {
  const Trial trial = run_trials(make, shape, runs);
  printf("  %-44s %4llu of %llu programs fail, %llu of %llu tokens, %llu of these wrong\n", name,
         static_cast<unsigned long long>(trial.failed_runs),
         static_cast<unsigned long long>(trial.runs),
         static_cast<unsigned long long>(trial.bad_tokens),
         static_cast<unsigned long long>(trial.tokens),
         static_cast<unsigned long long>(trial.wrong_tokens));
  return trial;
}

EncoderFactory luce(const LuceOptions& options) {
  return [options](const RandomProgram&) { return adapt<LuceEncoder>(options); };
}
EncoderFactory scheme(std::string_view name, std::uint64_t max_codes) {
  return [name, max_codes](const RandomProgram& p) {
    EncoderConfig config;
    config.graph = p.graph;
    config.max_codes = max_codes;
    return std::move(make_encoder(name, config)).value();
  };
}
EncoderFactory deltapath(const DeltaPathOptions& options) {
  return [options](const RandomProgram& p) { return adapt<DeltaPathEncoder>(p.graph, options); };
}

// With self edges, ids that fit into 64 bits decode wrongly or not at all. Without them only those fail that do not fit.
TEST(LiteralVariants, LuceFailsOnSelfEdgesAndBeyondItsWord) {
  ProgramShape plain, no_self, acyclic;
  plain.events = no_self.events = 400;
  no_self.self_edges = false;
  acyclic.cycles = false;
  const Trial literal = trial_of("literal", luce(LuceOptions::literal()), plain);
  EXPECT_GT(literal.wrong_tokens, 0u);
  EXPECT_GT(literal.limit_tokens, 0u);
  EXPECT_GT(literal.bad_tokens, literal.wrong_tokens + literal.limit_tokens);
  const Trial without = trial_of("without self edges", luce(LuceOptions::literal()), no_self);
  EXPECT_GT(without.bad_tokens, 0u);
  EXPECT_EQ(without.bad_tokens, without.limit_tokens);
  EXPECT_EQ(trial_of("acyclic", luce(LuceOptions::literal()), acyclic).failed_runs, 0u);
  EXPECT_EQ(trial_of("repaired", luce({}), plain).failed_runs, 0u);
}

TEST(LiteralVariants, LuceWithUnversionedCallerVersionsHoldsOnlyForOneThreadWithoutCycles) {
  LuceOptions unversioned;
  unversioned.bump = LuceBump::kNeverForCallerVersion;
  ProgramShape cyclic, acyclic, threads;
  acyclic.cycles = threads.cycles = false;
  threads.threads = 3;
  EXPECT_GT(trial_of("cycles", luce(unversioned), cyclic).failed_runs, 0u);
  EXPECT_EQ(trial_of("acyclic, one thread", luce(unversioned), acyclic).failed_runs, 0u);
  EXPECT_GT(trial_of("acyclic, three threads", luce(unversioned), threads).failed_runs, 0u);
}

TEST(LiteralVariants, PcceFailsWithoutDummyEdgesOrNamedStarts) {
  EXPECT_GT(trial_of("reset to 0", scheme("pcce-no-dummy-edge", 1000), {}).failed_runs, 0u);
  EXPECT_EQ(trial_of("as published", scheme("pcce-literal", 1000), {}).failed_runs, 0u);
  EXPECT_EQ(trial_of("as published, pruned", scheme("pcce-literal", 8), {}).failed_runs, 0u);
  EXPECT_EQ(trial_of("edges on the stack", scheme("pcce-stack", 1000), {}).failed_runs, 0u);
}

// A program in which a method calls another at one site at most.
RandomProgram with_one_site(RandomProgram program) {
  const auto merged = [](EdgeKey edge) {
    if (edge == kNoEdge || caller_of(edge) == kRootMethod) return edge;
    const auto ordinal = static_cast<std::uint16_t>(raw(callee_of(edge)));
    return edge_key({caller_of(edge), SiteOrdinal{ordinal}}, callee_of(edge));
  };
  for (TraceEvent& event : program.trace) event.edge = merged(event.edge);
  graph::CallGraph graph;
  for (const graph::CallGraph::Edge& edge : program.graph.edges()) {
    graph.add(merged(edge.key), edge.calls);
  }
  program.graph = std::move(graph);
  return program;
}

TEST(LiteralVariants, RcceLosesTheSiteOfAnOverflowOrItsCaller) {
  constexpr std::uint64_t k3Bits = 7;
  const Trial caller = trial_of("entries with callers", scheme("rcce-literal", k3Bits), {});
  EXPECT_GT(caller.failed_runs, 0u);
  EXPECT_EQ(caller.wrong_tokens, 0u);
  const Trial id = trial_of("entries of ids alone", scheme("rcce-literal-id", k3Bits), {});
  EXPECT_GT(id.bad_tokens, caller.bad_tokens);
  EXPECT_EQ(id.wrong_tokens, 0u);
  EXPECT_EQ(trial_of("entries with edges", scheme("rcce-stack", k3Bits), {}).failed_runs, 0u);
  // By methods the entry with its caller is enough.
  for (std::uint64_t seed = 1; seed <= 120 * test::test_scale(); ++seed) {
    const RandomProgram program = with_one_site(RandomProgram(seed, {}));
    const auto literal = scheme("rcce-literal", k3Bits)(program);
    EXPECT_EQ(replay(*literal, program.trace).bad(), 0u) << "seed " << seed;
  }
}

TEST(LiteralVariants, RcceMinusIsLostOnceItsIdHasWrapped) {
  EXPECT_GT(trial_of("as published", scheme("rcce-minus-literal", 7), {}).failed_runs, 0u);
  ProgramShape shallow;
  shallow.max_depth = 12;
  EXPECT_EQ(trial_of("shallow", scheme("rcce-minus-literal", 7), shallow).failed_runs, 0u);
}

ProgramShape wide_shape() {
  ProgramShape shape;
  shape.max_methods = 11;
  shape.fan_out = 3;
  shape.events = 150;
  return shape;
}

TEST(LiteralVariants, DeltaPathRestartsMustForget) {
  for (const std::uint64_t limit : {4u, 8u, 16u}) {
    DeltaPathOptions options;
    options.numbering.max_code = limit;
    const std::string name = ", limit " + std::to_string(limit);
    EXPECT_EQ(trial_of(("cleared" + name).c_str(), deltapath(options), wide_shape()).failed_runs,
              0u);
    options.numbering.clears_on_restart = false;
    EXPECT_GT(trial_of(("kept" + name).c_str(), deltapath(options), wide_shape()).failed_runs, 0u);
    const auto wrong = [&](const char* form) {
      return trial_of((form + name).c_str(), scheme(form, limit), wide_shape()).wrong_tokens;
    };
    EXPECT_EQ(wrong("deltapath-literal"), 0u);
    EXPECT_GT(wrong("deltapath-literal-kept"), 0u);
  }
}

TEST(LiteralVariants, DeltaPathLivelocksOnSmallWords) {
  std::uint64_t locked = 0;
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    const RandomProgram program(seed, wide_shape());
    DeltaPathOptions options;
    options.numbering.max_code = 4;
    options.numbering.breaks_livelock = false;
    locked += DeltaPathEncoder(program.graph, options).livelock();
    options.numbering.breaks_livelock = true;
    EXPECT_FALSE(DeltaPathEncoder(program.graph, options).livelock()) << "seed " << seed;
  }
  printf("  limit 4: %llu of 300 graphs would never end\n",
         static_cast<unsigned long long>(locked));
  EXPECT_GT(locked, 0u);
}

// 30 % of the methods are loaded after the analysis.
TEST(LiteralVariants, DeltaPathMustCheckExactTargetsAndRestoreItsRecord) {
  ProgramShape shape;
  shape.max_methods = 10;
  shape.recursion = 0.1;
  shape.polymorphism = 0.5;
  shape.events = 300;
  const auto withheld = [](bool sid, bool stale) -> EncoderFactory {
    return [sid, stale](const RandomProgram& p) {
      DeltaPathOptions options;
      options.numbering.forced_anchors = {MethodId{2}, MethodId{5}};
      options.sid_check = sid;
      options.stale_record = stale;
      const std::uint64_t salt = p.graph.edges().size() * 1000;
      const graph::CallGraph graph = p.graph.without([&](MethodId method) {
        return method != MethodId{1} && site_constant(salt + raw(method)) % 10 < 3;
      });
      return adapt<DeltaPathEncoder>(graph, options);
    };
  };
  EXPECT_GT(trial_of("set ids, stale record", withheld(true, true), shape, 400).failed_runs, 0u);
  EXPECT_GT(trial_of("set ids, restored", withheld(true, false), shape, 400).failed_runs, 0u);
  EXPECT_GT(trial_of("exact, stale record", withheld(false, true), shape, 400).failed_runs, 0u);
  EXPECT_EQ(trial_of("exact, restored", withheld(false, false), shape, 400).failed_runs, 0u);
}

}  // namespace
}  // namespace copse::encoders
