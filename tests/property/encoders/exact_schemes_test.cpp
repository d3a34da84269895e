// Every scheme that claims precision gives back the true context of every token, at once and after
// the whole run, on random programs with recursion, polymorphic sites, unwinds and threads.
#include <gtest/gtest.h>

#include "encoders/cct_exact.h"
#include "encoders/cct_merged.h"
#include "encoders/dacce.h"
#include "encoders/deltapath.h"
#include "encoders/luce.h"
#include "encoders/pcc.h"
#include "encoders/pcce.h"
#include "encoders/rcce.h"
#include "encoders/segment.h"
#include "encoders/stable_id.h"
#include "encoders/stack_walk.h"
#include "encoders/uptree.h"
#include "encoders/valence.h"
#include "random_program.h"

namespace copse::encoders {
namespace {

constexpr std::uint64_t kRuns = 300;

struct Scheme {
  std::string name;
  EncoderFactory make;
};

std::ostream& operator<<(std::ostream& out, const Scheme& scheme) { return out << scheme.name; }

CallGraph withhold_some(const RandomProgram& program) {
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
  for (const int bits : {0, 1, 6, 20, 62}) {
    add("segment_" + std::to_string(bits) + "_bits", [bits](const RandomProgram&) {
      return adapt<SegmentEncoder>(SegmentOptions{std::uint64_t{1} << bits});
    });
    add("segment_plain_" + std::to_string(bits) + "_bits", [bits](const RandomProgram&) {
      return adapt<SegmentEncoder>(SegmentOptions::plain(std::uint64_t{1} << bits));
    });
    for (const std::uint64_t longest : {1u, 3u, 20u}) {
      const std::string name = "segment_gaps_" + std::to_string(longest) + "_bits_";
      add(name + std::to_string(bits), [bits, longest](const RandomProgram&) {
        return adapt<SegmentEncoder>(
            SegmentOptions{std::uint64_t{1} << bits, longest, longest / 3, true});
      });
    }
  }
  add("pcce", [](const RandomProgram& p) { return adapt<PcceEncoder>(p.graph); });
  for (const std::uint64_t limit : {4u, 8u, 16u, 1000u}) {
    add("pcce_limit_" + std::to_string(limit), [limit](const RandomProgram& p) {
      return adapt<PcceEncoder>(p.graph, PcceOptions{limit, true});
    });
  }
  add("pcce_withheld", [](const RandomProgram& p) { return adapt<PcceEncoder>(withhold_some(p)); });
  add("rcce", [](const RandomProgram& p) { return adapt<RcceEncoder>(p.graph); });
  for (const std::uint64_t limit : {4u, 16u, 1000u}) {
    RcceOptions options;
    options.limit = limit;
    add("rcce_limit_" + std::to_string(limit),
        [options](const RandomProgram& p) { return adapt<RcceEncoder>(p.graph, options); });
    add("rcce_limit_withheld_" + std::to_string(limit), [options](const RandomProgram& p) {
      return adapt<RcceEncoder>(withhold_some(p), options);
    });
  }
  add("valence", [](const RandomProgram& p) { return adapt<ValenceEncoder>(p.graph); });
  add("valence_withheld",
      [](const RandomProgram& p) { return adapt<ValenceEncoder>(withhold_some(p)); });
  for (const std::uint64_t limit : {4u, 8u, 16u, 1000u}) {
    DeltaPathOptions options;
    options.numbering.max_code = limit;
    add("deltapath_limit_" + std::to_string(limit),
        [options](const RandomProgram& p) { return adapt<DeltaPathEncoder>(p.graph, options); });
    options.numbering.forced_anchors = {MethodId{2}, MethodId{3}, MethodId{5}};
    add("deltapath_limit_withheld_" + std::to_string(limit), [options](const RandomProgram& p) {
      return adapt<DeltaPathEncoder>(withhold_some(p), options);
    });
  }
  add("deltapath", [](const RandomProgram& p) { return adapt<DeltaPathEncoder>(p.graph); });
  add("deltapath_withheld",
      [](const RandomProgram& p) { return adapt<DeltaPathEncoder>(withhold_some(p)); });
  add("dacce", [](const RandomProgram&) { return adapt<DacceEncoder>(); });
  add("dacce_never",
      [](const RandomProgram&) { return adapt<DacceEncoder>(DacceOptions::never()); });
  for (const std::uint32_t period : {1u, 3u}) {
    add("dacce_period_" + std::to_string(period), [period](const RandomProgram&) {
      return adapt<DacceEncoder>(DacceOptions::period(period));
    });
    DacceOptions options = DacceOptions::period(period);
    options.max_id = 3 + period;
    options.sample_period = 7;
    options.counts_repeats = false;
    add("dacce_pruned_without_repeats_" + std::to_string(period),
        [options](const RandomProgram&) { return adapt<DacceEncoder>(options); });
  }
  for (const std::uint64_t limit :
       {std::uint64_t{4}, std::uint64_t{1000}, std::uint64_t{1} << 62}) {
    LuceOptions options;
    options.max_count = limit;
    const std::string suffix = "_limit_" + std::to_string(limit);
    add("luce" + suffix, [options](const RandomProgram&) { return adapt<LuceEncoder>(options); });
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
  expect_no_failure(shape, 60);
}

INSTANTIATE_TEST_SUITE_P(, ExactScheme, testing::ValuesIn(schemes()),
                         [](const auto& scheme) { return scheme.param.name; });

}  // namespace
}  // namespace copse::encoders
