// Every scheme that claims precision gives back the true context of every token, at once and after
// the whole run, on random programs with recursion, polymorphic sites, unwinds and threads.
#include <gtest/gtest.h>

#include <cstdio>

#include "encoders/numbering/dacce.h"
#include "encoders/numbering/luce.h"
#include "encoders/numbering/segment.h"
#include "encoders/replay/cct_exact.h"
#include "encoders/replay/cct_merged.h"
#include "encoders/replay/deltapath.h"
#include "encoders/replay/luce.h"
#include "encoders/replay/pcc.h"
#include "encoders/replay/registry.h"
#include "encoders/replay/stable_id.h"
#include "encoders/replay/stack_walk.h"
#include "encoders/replay/uptree.h"
#include "encoders/replay/valence.h"
#include "random_program.h"

namespace copse::encoders {
namespace {

constexpr std::uint64_t kRuns = 120;

struct Scheme {
  std::string name;
  EncoderFactory make;
};

std::ostream& operator<<(std::ostream& out, const Scheme& scheme) { return out << scheme.name; }

graph::CallGraph withhold_some(const RandomProgram& program) {
  return program.graph.without([](MethodId method) { return raw(method) % 3 == 0; });
}

std::vector<Scheme> schemes() {
  std::vector<Scheme> all;
  const auto add = [&](std::string name, EncoderFactory make) {
    all.push_back({std::move(name), std::move(make)});
  };
  add("walk", [](const RandomProgram&) { return adapt<StackWalkEncoder>(); });
  add("cct", [](const RandomProgram&) { return adapt<ExactCctEncoder>(); });
  add("cct_merged", [](const RandomProgram&) { return adapt<MergedCctEncoder>(); });
  add("uptree", [](const RandomProgram&) { return adapt<UptreeEncoder>(); });
  // Every numbering in every carrier that the registry has, by words of every size.
  for (const EncoderInfo& info : all_encoders()) {
    if (info.carrier == Carrier::kNone || !info.claims_precision()) continue;
    std::string base(info.name);
    for (char& c : base) c = c == '-' ? '_' : c;
    const auto with = [&info](graph::CallGraph graph, std::uint64_t limit) {
      EncoderConfig config;
      config.graph = std::move(graph);
      config.max_codes = limit;
      return std::move(make_encoder(info.name, config)).value();
    };
    for (const std::uint64_t limit :
         {std::uint64_t{2}, std::uint64_t{4}, std::uint64_t{8}, std::uint64_t{16},
          std::uint64_t{1000}, std::uint64_t{1} << 62}) {
      const std::string name = base + "_limit_" + std::to_string(limit);
      add(name, [with, limit](const RandomProgram& p) { return with(p.graph, limit); });
      if (!info.needs_graph) continue;
      add(name + "_withheld",
          [with, limit](const RandomProgram& p) { return with(withhold_some(p), limit); });
    }
  }
  for (const std::uint32_t longest : {1u, 2u, 16u, 1u << 20}) {
    for (const std::uint32_t reserve : {0u, 3u}) {
      add("segment_longest_" + std::to_string(longest) + "_reserve_" + std::to_string(reserve),
          [longest, reserve](const RandomProgram&) {
            return adapt<PieceEncoder>(std::make_unique<SegmentNumbering>(
                SegmentNumberingOptions{.longest = longest, .reserve = reserve}));
          });
    }
  }
  for (const std::uint32_t longest : {1u, 64u}) {
    add("luce_longest_" + std::to_string(longest), [longest](const RandomProgram&) {
      return adapt<PieceEncoder>(
          std::make_unique<LuceNumbering>(LuceNumberingOptions{.longest = longest}));
    });
  }
  for (const std::uint64_t first : {1u, 3u, 10u}) {
    const auto numbering = [first](std::uint64_t most_codes) {
      return std::make_unique<DacceNumbering>(DacceNumberingOptions{.first_edges = first,
                                                                    .first_pieces = 3 * first,
                                                                    .first_heat = first,
                                                                    .most_codes = most_codes});
    };
    const std::string name = std::to_string(first);
    add("dacce_early_" + name,
        [numbering](const RandomProgram&) { return adapt<PieceEncoder>(numbering(kMostIdCodes)); });
    add("dacce_stack_early_" + name, [numbering](const RandomProgram&) {
      return adapt<StackEncoder>(numbering(std::uint64_t{1} << 62));
    });
    add("dacce_stack_pruned_" + name,
        [numbering](const RandomProgram&) { return adapt<StackEncoder>(numbering(4)); });
  }
  add("valence", [](const RandomProgram& p) { return adapt<ValenceEncoder>(p.graph); });
  add("valence_withheld",
      [](const RandomProgram& p) { return adapt<ValenceEncoder>(withhold_some(p)); });
  for (const std::uint64_t limit : {4u, 8u, 16u, 1000u}) {
    DeltaPathOptions options;
    options.numbering.max_code = limit;
    add("deltapath_tracking_anchors_limit_" + std::to_string(limit),
        [options](const RandomProgram& p) { return adapt<DeltaPathEncoder>(p.graph, options); });
    options.numbering.forced_anchors = {MethodId{2}, MethodId{3}, MethodId{5}};
    add("deltapath_tracking_limit_withheld_" + std::to_string(limit),
        [options](const RandomProgram& p) {
          return adapt<DeltaPathEncoder>(withhold_some(p), options);
        });
  }
  add("deltapath_tracking",
      [](const RandomProgram& p) { return adapt<DeltaPathEncoder>(p.graph); });
  add("deltapath_tracking_withheld",
      [](const RandomProgram& p) { return adapt<DeltaPathEncoder>(withhold_some(p)); });
  for (const std::uint64_t limit :
       {std::uint64_t{4}, std::uint64_t{1000}, std::uint64_t{1} << 62}) {
    LuceOptions options;
    options.max_count = limit;
    const std::string suffix = "_limit_" + std::to_string(limit);
    add("luce_versions" + suffix,
        [options](const RandomProgram&) { return adapt<LuceEncoder>(options); });
    options.bump = LuceBump::kIfIssued;
    add("luce_conditional" + suffix,
        [options](const RandomProgram&) { return adapt<LuceEncoder>(options); });
    options = LuceOptions::canonical();
    options.max_count = limit;
    add("luce_canonical" + suffix,
        [options](const RandomProgram&) { return adapt<LuceEncoder>(options); });
  }
  const auto key = [](MethodId method) { return site_constant(raw(method)); };
  add("stable", [key](const RandomProgram& p) { return adapt<StableIdEncoder>(p.graph, key); });
  add("stable_withheld",
      [key](const RandomProgram& p) { return adapt<StableIdEncoder>(withhold_some(p), key); });
  return all;
}

class ExactScheme : public testing::TestWithParam<Scheme> {
 protected:
  void expect_no_failure(const ProgramShape& shape, std::uint64_t runs) {
    const Trial trial = run_trials(GetParam().make, shape, runs);
    std::printf("checked: %llu tokens of random programs, decoded\n",
                static_cast<unsigned long long>(trial.tokens));
    EXPECT_GT(trial.tokens, runs);
    EXPECT_EQ(trial.failed_runs, 0u) << "of " << trial.runs << "; " << trial.first_failure;
  }
};

TEST_P(ExactScheme, DecodesEveryTokenOfOneThread) { expect_no_failure({}, kRuns); }

TEST_P(ExactScheme, DecodesEveryTokenOfThreeThreads) {
  ProgramShape shape;
  shape.threads = 3;
  shape.several_entries = true;
  expect_no_failure(shape, kRuns);
}

TEST_P(ExactScheme, DecodesDeepContexts) {
  ProgramShape shape;
  shape.max_depth = 120;
  shape.events = 1000;
  shape.recursion = 0.4;
  expect_no_failure(shape, 25);
}

INSTANTIATE_TEST_SUITE_P(, ExactScheme, testing::ValuesIn(schemes()),
                         [](const auto& scheme) { return scheme.param.name; });

}  // namespace
}  // namespace copse::encoders
