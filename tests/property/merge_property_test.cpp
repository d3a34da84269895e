// Sums of random reports: the same bytes in whatever order, and the sums that stable ids give.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "compare/identity/merge.h"
#include "compare/identity/run_ranges.h"
#include "compare/identity/stable_ids.h"
#include "report/exports/json_writer.h"
#include "report/model/json_reader.h"
#include "support/random_report.h"

namespace copse::identity {
namespace {

using report::ReportModel;
using testing::random_report;

std::string json(const ReportModel& model) {
  report::StringOutput out;
  report::write_json(model, out);
  EXPECT_TRUE(out.finish().ok());
  return out.text();
}

// As a command would, through a file.
ReportModel sum(const std::vector<ReportModel>& parts, const IdRules& rules) {
  Merge merge(rules);
  for (const ReportModel& part : parts) {
    const Status status = merge.add(part, part.program.started);
    EXPECT_TRUE(status.ok()) << status.message();
  }
  Result<ReportModel> read = report::read_json(json(merge.take()), "sum");
  EXPECT_TRUE(read.ok()) << read.message();
  return std::move(read).value();
}

std::map<StableId, std::vector<std::uint64_t>> amounts(const ReportModel& model,
                                                       const IdRules& rules) {
  std::map<StableId, std::vector<std::uint64_t>> sums;
  const std::vector<StableId> ids = stable_ids(model, rules);
  for (std::size_t row = 0; row < ids.size(); ++row) {
    std::vector<std::uint64_t>& of = sums[ids[row]];
    of.resize(3);
    of[0] += model.nodes.calls[row];
    for (const ReportModel::Measure& measure : model.measures) {
      of[measure.name == "cpu_ns" ? 1 : 2] += measure.values[row];
    }
  }
  return sums;
}

NumberColumn values_of(const ReportModel& model, const std::string& name) {
  if (name == report::kCallsMeasure) return model.nodes.calls;
  for (const ReportModel::Measure& measure : model.measures) {
    if (measure.name == name) return measure.values;
  }
  return {};
}

class Sums : public ::testing::TestWithParam<IdRules> {};

TEST_P(Sums, AreTheSameBytesInEveryOrderAndThoseOfStableIds) {
  const IdRules rules = GetParam();
  const std::uint64_t first_seed = std::random_device{}();
  for (std::uint64_t seed = first_seed; seed < first_seed + 120; seed += 3) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const ReportModel a = random_report(seed), b = random_report(seed + 1),
                      c = random_report(seed + 2);
    const ReportModel all = sum({a, b, c}, rules);
    const std::string bytes = json(all);
    EXPECT_EQ(json(sum({c, a, b}, rules)), bytes);
    EXPECT_EQ(json(sum({sum({b, c}, rules), a}, rules)), bytes);
    EXPECT_EQ(json(sum({c, sum({a, b}, rules)}, rules)), bytes);
    EXPECT_EQ(all.totals.calls_seen, all.totals.calls + all.totals.calls_lost);

    auto expected = amounts(a, rules);
    for (const ReportModel* part : {&b, &c}) {
      for (const auto& [id, of_part] : amounts(*part, rules)) {
        std::vector<std::uint64_t>& of = expected[id];
        of.resize(3);
        for (std::size_t i = 0; i < of.size(); ++i) of[i] += of_part[i];
      }
    }
    if (rules.sites != Sites::kNone) {
      EXPECT_EQ(amounts(all, rules), expected);
      EXPECT_EQ(all.nodes.parent.size(), expected.size());
    }
    if (HasFailure()) return;
  }
}

// Makes a report of one to three runs.
ReportModel random_runs(std::uint64_t seed, std::mt19937_64& random) {
  RunRanges ranges;
  for (std::uint64_t runs = 1 + random() % 3; runs > 0; --runs)
    ranges.add(random_report(seed + runs));
  return ranges.take();
}

TEST_P(Sums, OfReportsOfSeveralRunsAreTheSameBytesInEveryOrder) {
  const IdRules rules = GetParam();
  const std::uint64_t first_seed = std::random_device{}();
  for (std::uint64_t seed = first_seed; seed < first_seed + 60; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937_64 random(seed);
    const ReportModel a = random_runs(seed, random), b = random_runs(seed + 7, random),
                      c = random_runs(seed + 14, random);
    const ReportModel all = sum({a, b, c}, rules);
    const std::string bytes = json(all);
    EXPECT_EQ(json(sum({c, a, b}, rules)), bytes);
    EXPECT_EQ(json(sum({sum({b, c}, rules), a}, rules)), bytes);
    EXPECT_EQ(json(sum({c, sum({a, b}, rules)}, rules)), bytes);
    const bool as_many =
        a.program.runs == b.program.runs && b.program.runs == c.program.runs && a.program.runs > 1;
    EXPECT_EQ(all.program.runs > 1, as_many);
    for (const ReportModel::Measure& least : all.measures) {
      if (!least.name.starts_with(report::kLeast)) continue;
      EXPECT_TRUE(as_many);
      const std::string name = least.name.substr(std::string(report::kLeast).size());
      for (std::size_t row = 0; row < least.values.size(); ++row) {
        EXPECT_LE(least.values[row], values_of(all, name)[row]);
        EXPECT_LE(values_of(all, name)[row], values_of(all, report::kGreatest + name)[row]);
      }
    }
    if (HasFailure()) return;
  }
}

INSTANTIATE_TEST_SUITE_P(AllRules, Sums,
                         ::testing::Values(IdRules{}, IdRules{Sites::kLine, Names::kNormalised},
                                           IdRules{Sites::kNone, Names::kNormalised},
                                           IdRules{Sites::kBytecodeIndex, Names::kExact}));

}  // namespace
}  // namespace copse::identity
