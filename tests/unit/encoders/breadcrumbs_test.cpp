#include "encoders/replay/breadcrumbs.h"

#include <gtest/gtest.h>

#include "letters.h"
#include "random_program.h"
#include "support/expect_fault.h"

namespace copse::encoders {
namespace {

using Outcome = BreadcrumbsEncoder::Outcome;

struct Tally {
  std::uint64_t decoded = 0, gave_up = 0, ambiguous = 0, wrong = 0;
};

// The token of each thread's last context in 60 random programs.
Tally decode_all(const BreadcrumbsOptions& options) {
  ProgramShape shape;
  shape.max_methods = 12;
  shape.fan_out = 2.5;
  shape.polymorphism = 0;
  shape.max_depth = 15;
  shape.tokens = 0;
  Tally tally;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    const RandomProgram program(seed, shape);
    BreadcrumbsEncoder breadcrumbs(options);
    auto& thread = breadcrumbs.thread(ThreadIndex{0});
    CallPath truth;
    std::vector<std::pair<Token, CallPath>> taken;
    for (const TraceEvent& event : program.trace) {
      if (event.kind == TraceEvent::Kind::kCall) {
        breadcrumbs.call(thread, event.edge);
        truth.push_back(event.edge);
        if (truth.size() > 3) taken.emplace_back(token_of(breadcrumbs, thread), truth);
      } else if (event.kind == TraceEvent::Kind::kReturn) {
        breadcrumbs.ret(thread);
        truth.pop_back();
      } else if (event.kind == TraceEvent::Kind::kUnwind) {
        breadcrumbs.unwind(thread, event.frames);
        truth.resize(truth.size() - event.frames);
      }
    }
    for (std::size_t i = 0; i < taken.size(); i += 10) {
      const auto found = breadcrumbs.search(taken[i].first);
      const CallPath& suffix = found.verified_suffix;
      EXPECT_TRUE(suffix.size() <= taken[i].second.size() &&
                  std::equal(suffix.rbegin(), suffix.rend(), taken[i].second.rbegin()))
          << "seed " << seed;
      tally.decoded += found.outcome == Outcome::kDecoded;
      tally.gave_up += found.outcome == Outcome::kGaveUp;
      tally.ambiguous += found.outcome == Outcome::kAmbiguous;
      tally.wrong += found.outcome == Outcome::kNone ||
                     (found.outcome == Outcome::kDecoded && found.path != taken[i].second);
    }
  }
  return tally;
}

TEST(Breadcrumbs, DecodesEverythingWhileAllSitesAreCold) {
  const Tally tally = decode_all({});
  EXPECT_GT(tally.decoded, 100u);
  EXPECT_EQ(tally.gave_up + tally.ambiguous + tally.wrong, 0u);
}

TEST(Breadcrumbs, HotSitesCostAnswersButNeverTruth) {
  BreadcrumbsOptions options;
  options.hot_threshold = 0;
  const Tally tally = decode_all(options);
  EXPECT_GT(tally.decoded, 0u);
  EXPECT_GT(tally.gave_up, 0u);
  EXPECT_EQ(tally.wrong, 0u);
}

TEST(Breadcrumbs, AFailureReportsTheSuffixThatIsSure) {
  BreadcrumbsOptions options;
  options.hot_threshold = 0;
  options.work_limit = 50;
  BreadcrumbsEncoder breadcrumbs(options);
  // C recurses through two hot sites; only B calls D, only C calls E.
  auto& thread = enter(breadcrumbs, 'A', {edge("AC")});
  for (int i = 0; i < 10; ++i) {
    breadcrumbs.call(thread, edge("CC", 1));
    breadcrumbs.call(thread, edge("CC", 2));
  }
  breadcrumbs.call(thread, edge("CE", 3));
  breadcrumbs.call(thread, edge("EF"));
  const auto found = breadcrumbs.search(token_of(breadcrumbs, thread));
  EXPECT_EQ(found.outcome, Outcome::kGaveUp);
  EXPECT_EQ(letters(found.verified_suffix), "EF");
  EXPECT_FAULT(breadcrumbs.decode(token_of(breadcrumbs, thread)), kLimit);
}

TEST(Breadcrumbs, AForeignTokenFitsNothing) {
  BreadcrumbsEncoder breadcrumbs;
  enter(breadcrumbs, 'A', {edge("AB")});
  Token token;
  token.put(12345, 4);
  token.put(letter('B'));
  EXPECT_EQ(breadcrumbs.search(token).outcome, Outcome::kNone);
}

}  // namespace
}  // namespace copse::encoders
