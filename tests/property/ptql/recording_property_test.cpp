// The answers about a recording are those of the definition about the recorded run: random
// queries, some at once, of random runs.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "random_query.h"
#include "recorded_run.h"
#include "reference.h"
#include "support/test_scale.h"

namespace copse::ptql {
namespace {

using testing::Random;

TEST(PtqlProperty, ARecordingGivesTheAnswersOfItsRun) {
  const std::uint64_t runs = 500 * test::test_scale();
  std::size_t queries = 0;
  std::size_t with_answers = 0;
  std::size_t at_once = 0;
  for (std::uint64_t seed = 1; seed <= runs; ++seed) {
    Random random(seed);
    std::vector<std::string> texts;
    std::vector<Plan> plans;
    for (std::size_t i = 0, count = 1 + random.below(3); i < count; ++i) {
      texts.push_back(testing::random_query(random));
      plans.push_back(make_plan(std::get<Query>(parse_query(texts.back()))));
    }
    const testing::RecordedRun recording = testing::recorded(testing::random_run(random), random);
    const auto answers = testing::recording_answers(plans, recording);
    for (std::size_t i = 0; i < plans.size(); ++i) {
      std::vector<std::string> rows;
      for (const Answer& answer : answers[i]) rows.push_back(testing::row_text(answer.values));
      std::vector<std::string> expected = testing::reference_answers(plans[i].query, recording.run);
      std::sort(rows.begin(), rows.end());
      std::sort(expected.begin(), expected.end());
      ASSERT_EQ(rows, expected) << "seed " << seed << ", query " << i << ": " << texts[i];
      with_answers += expected.empty() ? 0 : 1;
    }
    queries += plans.size();
    at_once += plans.size() > 1 ? 1 : 0;
  }
  std::printf("checked: %zu PTQL queries against their definition\n", queries);
  std::printf("%zu queries, answers to %zu, several at once %zu times\n", queries, with_answers,
              at_once);
  // Else the test says less than it seems to.
  EXPECT_GT(with_answers, queries / 3);
  EXPECT_GT(at_once, runs / 2);
}

}  // namespace
}  // namespace copse::ptql
