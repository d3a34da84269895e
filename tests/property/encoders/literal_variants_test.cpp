// How often the schemes fail as published or weakened, on random programs, beside their repaired forms on the
// same programs, which never do.
#include <gtest/gtest.h>

#include <cstdio>

#include "encoders/replay/deltapath.h"
#include "encoders/replay/luce.h"
#include "encoders/replay/pcc.h"
#include "encoders/replay/registry.h"
#include "random_program.h"

namespace copse::encoders {
namespace {

// Prints the rates, so that a run can be set beside the specification's.
Trial trial_of(const char* name, const EncoderFactory& make, const ProgramShape& shape,
               std::uint64_t runs = 120) {
  const Trial trial = run_trials(make, shape, runs);
  printf("  %-44s %4llu of %llu programs fail, %llu of %llu tokens\n", name,
         static_cast<unsigned long long>(trial.failed_runs),
         static_cast<unsigned long long>(trial.runs),
         static_cast<unsigned long long>(trial.bad_tokens),
         static_cast<unsigned long long>(trial.tokens));
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

TEST(LiteralVariants, LuceFailsWithoutItsRepairs) {
  ProgramShape plain, no_self;
  no_self.self_edges = false;
  no_self.events = 60;  // too short for the literal form's codes to wrap
  LuceOptions rooted = LuceOptions::literal();
  rooted.virtual_root = true;
  EXPECT_GT(trial_of("literal", luce(LuceOptions::literal()), plain).failed_runs, 0u);
  EXPECT_GT(trial_of("with ROOT, additions recomputed", luce(rooted), plain).failed_runs, 0u);
  EXPECT_EQ(trial_of("the same without self edges", luce(rooted), no_self).failed_runs, 0u);
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

TEST(LiteralVariants, RcceNeedsItsRepairs) {
  constexpr std::uint64_t k63Bits = (std::uint64_t{1} << 63) - 1;
  EXPECT_GT(trial_of("literal, 63 bits", scheme("rcce-literal", k63Bits), {}).failed_runs, 0u);
  EXPECT_GT(trial_of("literal, limit 1000", scheme("rcce-literal", 1000), {}).failed_runs, 0u);
  EXPECT_EQ(trial_of("all repairs, limit 1000", scheme("rcce-stack", 1000), {}).failed_runs, 0u);
  // Entries that name nothing fail even where no call leads to an entry method.
  ProgramShape acyclic;
  acyclic.cycles = false;
  EXPECT_EQ(trial_of("literal, acyclic", scheme("rcce-literal", k63Bits), acyclic).failed_runs, 0u);
  EXPECT_GT(trial_of("entries without site", scheme("rcce-literal", 8), acyclic).failed_runs, 0u);
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

TEST(LiteralVariants, DeltaPathMustDecodeInTheTerritoryOfTheEntry) {
  DeltaPathOptions options;
  options.numbering.forced_anchors = {MethodId{2}, MethodId{3}, MethodId{4}};
  using Territory = DeltaPathOptions::Territory;
  options.territory = Territory::kIgnored;
  EXPECT_GT(trial_of("all in-edges", deltapath(options), {}).failed_runs, 0u);
  options.territory = Territory::kOfLastAnchor;
  EXPECT_GT(trial_of("last anchor's territory", deltapath(options), {}).failed_runs, 0u);
  options.territory = Territory::kOfEntry;
  EXPECT_EQ(trial_of("entry's territory", deltapath(options), {}).failed_runs, 0u);
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
