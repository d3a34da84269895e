// The engine's answers while a program runs are those of the definition when it is over: random
// queries of random runs, with and without each part of a plan.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <variant>

#include "random_query.h"
#include "reference.h"
#include "support/test_scale.h"

namespace copse::ptql {
namespace {

using testing::Random;

std::vector<std::string> sorted_texts(const std::vector<Answer>& answers) {
  std::vector<std::string> texts;
  for (const Answer& answer : answers) texts.push_back(testing::row_text(answer.values));
  std::sort(texts.begin(), texts.end());
  return texts;
}

// Returns true if a look-up uses several fields: one of a join, or one of a record's checks (`of_checks`).
bool uses_joint_index(const Plan& plan, bool of_checks) {
  const auto is_joint = [](const Lookup& lookup) { return lookup.probes.size() > 1; };
  return std::ranges::any_of(plan.strategies, [&](const Strategy& strategy) {
    if (of_checks) {
      return std::ranges::any_of(strategy.checks, [&](const EvidenceCheck& check) {
        return !check.never && is_joint(check.lookup);
      });
    }
    return std::ranges::any_of(strategy.joins.front(),
                               [&](const JoinStep& step) { return is_joint(step.lookup); });
  });
}

TEST(PtqlProperty, AnswersAreThoseOfTheDefinition) {
  const std::uint64_t queries = 2'000 * test::test_scale();
  std::size_t with_answers = 0;
  std::size_t contradictions = 0;
  std::size_t split = 0;
  std::size_t late = 0;
  std::size_t left_out = 0;  // invocations
  std::size_t joined_by_several = 0;
  std::size_t checked_by_several = 0;
  std::size_t in_several_orders = 0;
  for (std::uint64_t seed = 1; seed <= queries; ++seed) {
    Random random(seed);
    const std::string text = testing::random_query(random);
    const auto run = testing::random_run(random);
    std::variant<Query, Problem> parsed = parse_query(text);
    ASSERT_TRUE(std::holds_alternative<Query>(parsed)) << text << "\n"
                                                       << to_text(std::get<Problem>(parsed));
    const Plan plan = make_plan(std::move(std::get<Query>(parsed)));
    std::vector<std::string> expected = testing::reference_answers(plan.query, run);
    std::sort(expected.begin(), expected.end());
    EngineTotals totals;
    ASSERT_EQ(sorted_texts(testing::engine_answers(plan, run, {}, totals)), expected)
        << "seed " << seed << ": " << text;
    EngineTotals of_rest;
    ASSERT_EQ(sorted_texts(testing::engine_answers(
                  plan, testing::without_early(plan, run, left_out), {}, of_rest)),
              expected)
        << "without early invocations, seed " << seed << ": " << text;
    with_answers += expected.empty() ? 0 : 1;
    contradictions += plan.contradiction.empty() ? 0 : 1;
    split += plan.strategies.size() > 1 ? 1 : 0;
    joined_by_several += !expected.empty() && uses_joint_index(plan, false) ? 1 : 0;
    checked_by_several += !expected.empty() && uses_joint_index(plan, true) ? 1 : 0;
    in_several_orders +=
        !expected.empty() && std::ranges::any_of(
                                 plan.strategies,
                                 [](const Strategy& strategy) { return strategy.joins.size() > 1; })
            ? 1
            : 0;
    for (const Strategy& strategy : plan.strategies) late += strategy.post_dominator ? 0 : 1;
  }
  std::printf("checked: %llu PTQL queries against their definition\n",
              static_cast<unsigned long long>(queries));
  std::printf("answers to %zu, contradictions %zu, split %zu, at the end %zu\n", with_answers,
              contradictions, split, late);
  std::printf("with answers, by several fields: joined %zu, checked %zu; in several orders %zu\n",
              joined_by_several, checked_by_several, in_several_orders);
  // Else the test says less than it seems to.
  EXPECT_GT(with_answers, queries / 3);
  EXPECT_GT(contradictions, queries / 100);
  EXPECT_GT(split, queries / 10);
  EXPECT_GT(late, queries / 100);
  EXPECT_GT(left_out, queries / 20);
  EXPECT_GT(joined_by_several, queries / 20);
  EXPECT_GT(checked_by_several, queries / 100);
  EXPECT_GT(in_several_orders, queries / 50);
}

// Every set of parts is left out, each with other queries and runs.
TEST(PtqlProperty, AnswersAreTheSameWithoutAnyPartsOfThePlan) {
  constexpr std::uint64_t kRounds = 1;
  std::size_t with_answers = 0;
  std::size_t left_out = 0;
  for (std::uint64_t seed = 0; seed < kRounds * (kAllParts + 1); ++seed) {
    Random random(seed + 1'000'000);
    const std::string text = testing::random_query(random);
    const auto run = testing::random_run(random);
    const auto without = static_cast<PartSet>(seed) & kAllParts;
    const Plan plan = make_plan(std::get<Query>(parse_query(text)), without);
    std::vector<std::string> expected = testing::reference_answers(plan.query, run);
    std::sort(expected.begin(), expected.end());
    EngineTotals totals;
    const auto told = testing::without_early(plan, run, left_out);
    ASSERT_EQ(sorted_texts(testing::engine_answers(plan, told, {}, totals)), expected)
        << "without parts " << without << ", seed " << seed << ": " << text;
    with_answers += expected.empty() ? 0 : 1;
  }
  std::printf("checked: %llu PTQL queries against their definition\n",
              static_cast<unsigned long long>(kRounds * (kAllParts + 1)));
  EXPECT_GT(with_answers, kRounds * kAllParts / 3) << "else the test says less than it seems to";
}

TEST(PtqlProperty, APlanWithoutAPartDoesMore) {
  std::array<std::size_t, kPartNames.size()> does_more{};
  for (std::uint64_t seed = 1; seed <= 300 * test::test_scale(); ++seed) {
    Random random(seed);
    const std::string text = testing::random_query(random);
    const auto run = testing::random_run(random);
    EngineTotals with_all;
    const Plan whole = make_plan(std::get<Query>(parse_query(text)));
    testing::engine_answers(whole, run, {}, with_all);
    for (std::size_t i = 0; i < kPartNames.size(); ++i) {
      EngineTotals totals;
      const PartSet without = set_of(static_cast<Part>(i));
      const Plan rest = make_plan(std::get<Query>(parse_query(text)), without);
      testing::engine_answers(rest, run, {}, totals);
      const bool is_more = totals.events > with_all.events ||
                           totals.most_bytes > with_all.most_bytes ||
                           rest.strategies.size() < whole.strategies.size();
      does_more[i] += is_more ? 1 : 0;
    }
  }
  for (const Part part : {Part::kStaticFilter, Part::kDynamicFilter, Part::kPostDominator,
                          Part::kSplit, Part::kAdmission, Part::kRetention, Part::kPropagation,
                          Part::kRefutation, Part::kRepetition}) {
    EXPECT_GT(does_more[static_cast<std::size_t>(part)], 0u)
        << kPartNames[static_cast<std::size_t>(part)] << " is not left out";
  }
}

// An engine is told of an object when one of its own events has it, which changes no answer.
TEST(PtqlProperty, SeveralQueriesHaveTheAnswersThatEachHasAlone) {
  std::size_t fewer_events = 0;
  for (std::uint64_t seed = 1; seed <= 800 * test::test_scale(); ++seed) {
    Random random(seed);
    std::vector<std::string> texts;
    std::vector<Plan> plans;
    for (std::size_t i = 0, count = 2 + random.below(3); i < count; ++i) {
      texts.push_back(testing::random_query(random));
      plans.push_back(make_plan(std::get<Query>(parse_query(texts.back()))));
    }
    const auto run = testing::random_run(random);
    std::vector<EngineTotals> totals;
    const auto together = testing::engines_answers(plans, run, totals);
    for (std::size_t i = 0; i < plans.size(); ++i) {
      EngineTotals alone;
      ASSERT_EQ(sorted_texts(together[i]),
                sorted_texts(testing::engine_answers(plans[i], run, {}, alone)))
          << "seed " << seed << ", query " << i << ": " << texts[i];
      ASSERT_LE(totals[i].events, alone.events) << "seed " << seed << ": " << texts[i];
      fewer_events += totals[i].events < alone.events ? 1 : 0;
    }
  }
  EXPECT_GT(fewer_events, 100u) << "else the test says less than it seems to";
}

// With too little memory what is not said to be missing is there, and nothing is made up.
TEST(PtqlProperty, AnswersUnderAMemoryBoundAreSomeOfThem) {
  std::size_t dropped = 0;
  for (std::uint64_t seed = 1; seed <= 1'000 * test::test_scale(); ++seed) {
    Random random(seed);
    const std::string text = testing::random_query(random);
    const auto run = testing::random_run(random);
    const Plan plan = make_plan(std::get<Query>(parse_query(text)));
    EngineTotals totals;
    EngineOptions bounded;
    bounded.memory_bytes = 500 + random.below(8'000);
    const std::vector<std::string> some =
        sorted_texts(testing::engine_answers(plan, run, bounded, totals));
    EXPECT_LE(totals.most_bytes, 2 * bounded.memory_bytes + 3000) << "seed " << seed;
    std::vector<std::string> all = testing::reference_answers(plan.query, run);
    std::sort(all.begin(), all.end());
    if (totals.dropped_records == 0 && totals.forgotten_rows == 0) {
      ASSERT_EQ(some, all) << "seed " << seed << ": " << text;
      continue;
    }
    ++dropped;
    if (plan.query.negatives() != 0 || plan.query.aggregates()) continue;
    for (const std::string& row : some) {
      ASSERT_TRUE(std::binary_search(all.begin(), all.end(), row))
          << "seed " << seed << ": " << text << ": " << row;
    }
  }
  EXPECT_GT(dropped, 100u);
}

}  // namespace
}  // namespace copse::ptql
