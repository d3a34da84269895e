// What validate and compare say of one small random program, against files a person has read; times
// are set to fixed figures. To accept a change: COPSE_UPDATE_GOLDEN=1 golden_study, then read the
// difference.
#include <gtest/gtest.h>

#include "encoders/study/counterexample_trace.h"
#include "encoders/study/reports.h"
#include "support/golden.h"
#include "support/study_cases.h"

namespace copse::study {
namespace {

using test::expect_golden;

std::vector<Op> program() {
  encoders::ProgramShape shape;
  shape.max_methods = 12;
  shape.threads = 2;
  shape.events = 3000;
  shape.recursion = 0.4;
  shape.tokens = 0.02;
  return ops_of(encoders::RandomProgram(4, shape).trace);
}

Comparison comparison() {
  OpSource source(program());
  OpStream stream(source);
  SampleOptions samples;
  samples.every = 10;
  samples.random_count = 50;
  const Survey survey = *survey_stream(stream, samples);
  ConfigOptions options;
  options.withhold = 0.2;
  options.max_codes = 1 << 20;
  const SchemeConfig config(options, source.methods());
  std::vector<std::string> names;
  for (const encoders::EncoderInfo& info : encoders::all_encoders()) names.emplace_back(info.name);
  CompareOptions compare;
  compare.rounds = 1;
  Result<Comparison> made =
      compare_schemes(stream, survey, figures_of(survey, "random <4>.txt", samples, options), names,
                      config, compare);
  EXPECT_TRUE(made.ok()) << made.message();
  made->bare = {2, 1.9, 2.3};
  double ns = 2;
  for (ComparedScheme& scheme : made->schemes) {
    ns += 0.5;
    scheme.replay = {ns, ns - 0.1, ns + 0.2};
    for (EpochFacts& epoch : scheme.check.facts.epochs) epoch.ns = 1000 * epoch.edges;
    scheme.check.token_ns = 10 * ns;
    scheme.check.decode_ns = 100 * ns;
  }
  return *made;
}

TEST(GoldenStudy, Validation) {
  const Comparison made = comparison();
  std::vector<EncoderCheck> rows;
  for (const ComparedScheme& scheme : made.schemes) rows.push_back(scheme.check);
  expect_golden("validation.txt", validation_text(made.stream, rows));
}

TEST(GoldenStudy, ComparisonAsText) {
  expect_golden("comparison.txt", comparison_text(comparison(), true));
}

TEST(GoldenStudy, ComparisonAsJson) {
  expect_golden("comparison.json", comparison_json(comparison()));
}

TEST(GoldenStudy, CounterexampleOfTwoThreads) {
  encoders::ProgramShape shape;
  shape.cycles = false;
  shape.threads = 3;
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    const std::vector<Op> ops = ops_of(encoders::RandomProgram(seed, shape).trace);
    const Studied studied = study(ops, "luce-no-caller-bump");
    if (!studied.row.failure) continue;
    OpSource source(ops);
    OpStream stream(source);
    const SchemeConfig config({}, source.methods());
    const auto found = shrink_failure(stream, studied.survey, studied.row, config);
    ASSERT_TRUE(found.ok()) << found.message();
    std::vector<MethodName> names(1);
    for (char letter = 'A'; letter <= 'Z'; ++letter) {
      names.push_back({"demo.Main", std::string(1, letter), "()V", "Main.java", "app", {}});
    }
    const auto text = counterexample_trace(*found, *studied.row.info, names, config);
    ASSERT_TRUE(text.ok()) << text.message();
    expect_golden("luce-no-caller-bump.txt", *text);
    return;
  }
  FAIL() << "no program without cycles on which Luce without that version fails";
}

}  // namespace
}  // namespace copse::study
