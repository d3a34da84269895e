// Comparisons of random reports: with themselves, with sums, by stable ids.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "compare/diff/changes.h"
#include "compare/diff/comparison.h"
#include "compare/diff/cut.h"
#include "compare/identity/find_context.h"
#include "compare/identity/merge.h"
#include "compare/identity/stable_ids.h"
#include "report/part/cut.h"
#include "support/random_report.h"

namespace copse::diff {
namespace {

using report::ReportModel;
using testing::random_report;

constexpr std::uint64_t kFirstSeed = 4000;
constexpr std::uint64_t kSeeds = 300;

using Amounts = std::map<std::string, std::uint64_t>;  // by measure
using AmountsByName = std::map<std::string, std::uint64_t>;
using AmountsById = std::map<StableId, Amounts>;

void add(Amounts& to, const std::string& name, std::uint64_t amount) {
  if (amount != 0) to[name] += amount;
}

AmountsById amounts(const ReportModel& model, const identity::IdRules& rules) {
  AmountsById sums;
  const std::vector<StableId> ids = identity::stable_ids(model, rules);
  for (std::size_t row = 0; row < ids.size(); ++row) {
    Amounts& of = sums[ids[row]];
    add(of, "calls", model.nodes.calls[row]);
    for (const auto& measure : model.measures) add(of, measure.name, measure.values[row]);
  }
  return sums;
}

AmountsById side_of(const Comparison& comparison, bool is_new) {
  AmountsById sums;
  const std::vector<StableId> ids = identity::stable_ids(comparison.both, comparison.rules);
  for (std::size_t node = 0; node < ids.size(); ++node) {
    if (!(is_new ? comparison.in_new(node) : comparison.in_old(node))) continue;
    Amounts& of = sums[ids[node]];
    for (std::size_t i = 0; i < comparison.measures.size(); ++i) {
      add(of, comparison.measures[i].name,
          (is_new ? comparison.new_values(i) : comparison.old_values(i))[node]);
    }
  }
  return sums;
}

Comparison compared(ReportModel before, ReportModel now, const CompareOptions& options) {
  Result<Comparison> result = compare(std::move(before), "a", std::move(now), "b", options);
  EXPECT_TRUE(result.ok()) << result.message();
  return std::move(result).value();
}

std::uint64_t contexts_with_calls(const Comparison& comparison) {
  std::uint64_t count = 0;
  for (std::size_t node = 0; node < comparison.presence.size(); ++node) {
    if (comparison.old_values(0)[node] + comparison.new_values(0)[node] != 0) ++count;
  }
  return count;
}

bool are_all_in_both(const Comparison& comparison) {
  return std::all_of(comparison.presence.begin(), comparison.presence.end(),
                     [](std::uint8_t presence) { return presence == 3; });
}

CompareOptions random_options(std::mt19937_64& random) {
  CompareOptions options;
  options.rules.sites = static_cast<identity::Sites>(random() % 3);
  options.rules.names = static_cast<identity::Names>(random() % 2);
  return options;
}

TEST(Diff, OfAReportWithItselfIsEmpty) {
  for (std::uint64_t seed = kFirstSeed; seed < kFirstSeed + kSeeds; ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937_64 random(seed);
    const ReportModel report = random_report(seed);
    const Comparison same = compared(report, report, random_options(random));
    const ContextCounts counts = count_contexts(same);
    EXPECT_EQ(counts.equal, contexts_with_calls(same));
    EXPECT_TRUE(same.renamed.empty());
    for (std::size_t i = 0; i < same.measures.size(); ++i) {
      EXPECT_TRUE(find_changes(same, i).list.empty());
    }
  }
}

// By name: class, name and descriptor of methods; numbered classes may have the number of the other report.
AmountsByName amounts_by_name(const ReportModel& model, const NumberColumn& calls) {
  AmountsByName sums;
  for (std::size_t node = 1; node < calls.size(); ++node) {
    const auto row = static_cast<std::size_t>(model.nodes.method[node]);
    const ReportModel::Methods& methods = model.methods;
    if (!methods.stable_class[row].empty() || methods.descriptor[row].empty()) continue;
    sums[methods.class_name[row] + "." + methods.name[row] + methods.descriptor[row]] +=
        calls[node];
  }
  return sums;
}

// A name in the comparison is of the same methods as in the reports, or is in neither, as lambda$f$* for several lambdas.
TEST(Diff, HasOfEachNameWhatEachReportHas) {
  std::size_t names = 0;
  for (std::uint64_t seed = kFirstSeed; seed < kFirstSeed + kSeeds; ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937_64 random(seed);
    const ReportModel before = random_report(seed), now = random_report(seed + 1);
    const Comparison comparison = compared(before, now, random_options(random));
    const AmountsByName of_old = amounts_by_name(before, before.nodes.calls);
    const AmountsByName of_new = amounts_by_name(now, now.nodes.calls);
    const AmountsByName old_side = amounts_by_name(comparison.both, comparison.old_values(0));
    const AmountsByName new_side = amounts_by_name(comparison.both, comparison.new_values(0));
    const auto at = [](const AmountsByName& of, const std::string& name) {
      const auto found = of.find(name);
      return found == of.end() ? 0 : found->second;
    };
    for (const auto& [name, calls] : old_side) {
      if (!of_old.contains(name) && !of_new.contains(name)) continue;
      ++names;
      EXPECT_EQ(calls, at(of_old, name)) << name;
      EXPECT_EQ(at(new_side, name), at(of_new, name)) << name;
    }
  }
  EXPECT_GT(names, kSeeds);
}

TEST(Diff, HasOfEachSideWhatItsReportHas) {
  for (std::uint64_t seed = kFirstSeed; seed < kFirstSeed + kSeeds; ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937_64 random(seed);
    const ReportModel before = random_report(seed), now = random_report(seed + 1);
    CompareOptions options = random_options(random);
    Comparison comparison = compared(before, now, options);
    EXPECT_EQ(side_of(comparison, true), amounts(now, options.rules));
    // A class whose code has changed has NEW's stable name, and so another id.
    Amounts had, has;
    for (const auto& [id, of] : amounts(before, options.rules)) {
      for (const auto& [name, value] : of) had[name] += value;
    }
    for (const auto& [id, of] : side_of(comparison, false)) {
      for (const auto& [name, value] : of) has[name] += value;
    }
    EXPECT_EQ(has, had);
    options.rules.names = identity::Names::kExact;
    comparison = compared(before, now, options);
    EXPECT_EQ(side_of(comparison, false), amounts(before, options.rules));
    EXPECT_EQ(side_of(comparison, true), amounts(now, options.rules));
  }
}

TEST(Diff, OfAReportWithItsSumWithAnotherIsTheOther) {
  for (std::uint64_t seed = kFirstSeed; seed < kFirstSeed + kSeeds; ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937_64 random(seed);
    const ReportModel a = random_report(seed), b = random_report(seed + 1);
    const CompareOptions options = random_options(random);
    identity::Merge merge(options.rules);
    ASSERT_TRUE(merge.add(a, "a").ok());
    ASSERT_TRUE(merge.add(b, "b").ok());
    const Comparison comparison = compared(a, merge.take(), options);
    AmountsById more = side_of(comparison, true);
    for (const auto& [id, of] : side_of(comparison, false)) {
      for (const auto& [name, value] : of) more[id][name] -= value;
    }
    for (auto& [id, of] : more)
      std::erase_if(of, [](const auto& item) { return item.second == 0; });
    AmountsById others = amounts(b, options.rules);
    for (auto& [id, of] : more) others.try_emplace(id);
    EXPECT_EQ(more, others);
  }
}

TEST(Diff, OfRenumberedLambdasIsEmpty) {
  for (std::uint64_t seed = kFirstSeed; seed < kFirstSeed + kSeeds; ++seed) {
    SCOPED_TRACE(seed);
    const ReportModel before = random_report(seed);
    ReportModel now = before;
    for (std::string& name : now.methods.name) {
      if (name.starts_with("lambda$")) name += "7";
    }
    const Comparison same = compared(before, now, {});
    EXPECT_EQ(count_contexts(same).equal, contexts_with_calls(same));
    EXPECT_TRUE(are_all_in_both(same));
    EXPECT_TRUE(same.renamed.empty());
  }
}

// As with an anonymous class more in front of them, that was never made.
TEST(Diff, OfRenumberedClassesIsEmpty) {
  std::size_t renumbered = 0;
  for (std::uint64_t seed = kFirstSeed; seed < kFirstSeed + kSeeds; ++seed) {
    SCOPED_TRACE(seed);
    const ReportModel before = random_report(seed);
    ReportModel now = before;
    for (std::size_t row = 0; row < now.methods.name.size(); ++row) {
      if (now.methods.stable_class[row].empty()) continue;
      now.methods.class_name[row].back() += 5;
      ++renumbered;
    }
    for (const bool is_back : {false, true}) {
      const Comparison same = is_back ? compared(now, before, {}) : compared(before, now, {});
      EXPECT_EQ(count_contexts(same).equal, contexts_with_calls(same));
      EXPECT_TRUE(are_all_in_both(same));
      for (const Renamed& one : same.renamed) EXPECT_TRUE(one.to.starts_with("p.Outer$")) << one.to;
    }
  }
  EXPECT_GT(renumbered, kSeeds);
}

// Whatever else there is: classes of one code that both reports have once are one.
TEST(Diff, OfClassesOfOneCodeIsOfOneClass) {
  std::size_t pairs = 0;
  for (std::uint64_t seed = kFirstSeed; seed < kFirstSeed + kSeeds; ++seed) {
    SCOPED_TRACE(seed);
    const ReportModel before = random_report(seed), now = random_report(seed + 1);
    using Names = std::map<std::string, std::set<std::string>>;  // of classes, by stable name
    const auto names_of = [](const ReportModel& report) {
      Names names;
      for (std::size_t row = 0; row < report.methods.name.size(); ++row) {
        const std::string& stable = report.methods.stable_class[row];
        if (!stable.empty()) names[stable].insert(report.methods.class_name[row]);
      }
      return names;
    };
    const Names olds = names_of(before), news = names_of(now);
    const Names all = names_of(compared(before, now, {}).both);
    for (const auto& [stable, names] : olds) {
      const auto same = news.find(stable);
      if (same == news.end() || same->second.size() != 1 || names.size() != 1) continue;
      ++pairs;
      EXPECT_EQ(all.at(stable).size(), 1u) << stable;
    }
  }
  EXPECT_GT(pairs, 20u);
}

// A person says that all of a package has another name.
TEST(Diff, OfARenamedPackageIsEmptyWhereThatIsSaid) {
  for (std::uint64_t seed = kFirstSeed; seed < kFirstSeed + kSeeds; ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937_64 random(seed);
    const ReportModel before = random_report(seed);
    ReportModel now = before;
    bool any = false;
    for (std::size_t row = 0; row < now.methods.name.size(); ++row) {
      for (std::string* const name :
           {&now.methods.class_name[row], &now.methods.stable_class[row]}) {
        if (!name->starts_with("p.") && !name->starts_with("p1.")) continue;
        name->insert(0, "moved.");
        any = true;
      }
    }
    if (!any) continue;
    CompareOptions options = random_options(random);
    std::vector<std::string> values;
    for (const char* package : {"p.", "p1."}) {
      const auto is_in = [&](const std::string& name) { return name.starts_with(package); };
      if (!std::ranges::any_of(before.methods.class_name, is_in)) continue;
      values.push_back(std::string(package) + "**=moved." + package + "**");
    }
    options.renames = Renames::parse(values).value();
    const Comparison same = compared(before, now, options);
    EXPECT_EQ(count_contexts(same).equal, contexts_with_calls(same));
    EXPECT_TRUE(are_all_in_both(same));
  }
}

TEST(Diff, OfCodeThatMovedAsAWholeIsEmpty) {
  for (std::uint64_t seed = kFirstSeed; seed < kFirstSeed + kSeeds; ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937_64 random(seed);
    const ReportModel before = random_report(seed);
    ReportModel now = before;
    std::map<std::string, std::int32_t> shift;  // by class and name
    for (std::size_t row = 0; row < now.sites.method.size(); ++row) {
      const auto method = static_cast<std::size_t>(now.sites.method[row]);
      const std::string key = now.methods.class_name[method] + now.methods.name[method] +
                              now.methods.descriptor[method];
      const auto by = static_cast<std::int32_t>(100 + random() % 50);
      const std::int32_t moved = shift.try_emplace(key, by).first->second;
      if (now.sites.bci[row] >= 0) now.sites.bci[row] += moved;
      if (now.sites.line[row] >= 0) now.sites.line[row] += moved;
    }
    const Comparison same = compared(before, now, {});
    EXPECT_EQ(count_contexts(same).equal, contexts_with_calls(same));
    EXPECT_TRUE(are_all_in_both(same));
  }
}

TEST(Diff, HasChangesThatAddUpToTheDifference) {
  for (std::uint64_t seed = kFirstSeed; seed < kFirstSeed + kSeeds; ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937_64 random(seed);
    const Comparison comparison =
        compared(random_report(seed), random_report(seed + 1), random_options(random));
    for (std::size_t i = 0; i < comparison.measures.size(); ++i) {
      double difference = 0, scale = 1;
      for (std::size_t node = 0; node < comparison.presence.size(); ++node) {
        const auto before = static_cast<double>(comparison.old_values(i)[node]);
        const auto now = static_cast<double>(comparison.new_values(i)[node]);
        difference += now - before;
        scale += now + before;
      }
      const Changes changes = find_changes(comparison, i);
      double told = changes.rest;
      double largest = 0;
      for (const Change& change : changes.list) {
        told += change.effect;
        largest = std::max(largest, std::abs(change.effect));
      }
      EXPECT_EQ(changes.rest, 0);
      EXPECT_NEAR(told, difference, 1e-9 * std::max(scale, largest));
    }
  }
}

// Returns a part's totals as text.
std::string facts_of(const ReportModel::Totals& totals) {
  std::string text;
  for (const std::uint64_t number :
       {totals.calls, totals.contexts, totals.max_depth, totals.calls_seen, totals.calls_lost,
        totals.evicted_calls, totals.evicted_contexts, totals.merged_methods}) {
    text += std::to_string(number) + " ";
  }
  return text;
}

// By id, kind and effect, so that it does not matter in which rows the contexts are.
std::vector<std::string> told(const Comparison& comparison, std::size_t measure) {
  const std::vector<StableId> ids = identity::stable_ids(comparison.both, comparison.rules);
  std::vector<std::string> words;
  for (const Change& change : find_changes(comparison, measure).list) {
    words.push_back(hex(ids[static_cast<std::size_t>(change.node)]) + " " + name_of(change.kind) +
                    " " + std::to_string(change.effect));
  }
  std::sort(words.begin(), words.end());
  return words;
}

void expect_equal(const Comparison& cut, const Comparison& of_cuts) {
  EXPECT_EQ(side_of(cut, false), side_of(of_cuts, false));
  EXPECT_EQ(side_of(cut, true), side_of(of_cuts, true));
  EXPECT_EQ(facts_of(cut.old_about.totals), facts_of(of_cuts.old_about.totals));
  EXPECT_EQ(facts_of(cut.both.totals), facts_of(of_cuts.both.totals));
  const ContextCounts a = count_contexts(cut), b = count_contexts(of_cuts);
  EXPECT_EQ((std::vector{a.only_new, a.only_old, a.more, a.fewer, a.equal}),
            (std::vector{b.only_new, b.only_old, b.more, b.fewer, b.equal}));
  ASSERT_EQ(cut.measures.size(), of_cuts.measures.size());
  for (std::size_t i = 0; i < cut.measures.size(); ++i) {
    EXPECT_EQ(told(cut, i), told(of_cuts, i)) << cut.measures[i].name;
  }
}

// With one row an id, as a comparison has it. Those of two seeds and the same `common` have contexts in common.
ReportModel sum_of_two(std::uint64_t common, std::uint64_t seed, const identity::IdRules& rules) {
  identity::Merge merge(rules);
  EXPECT_TRUE(merge.add(random_report(common), "common").ok());
  EXPECT_TRUE(merge.add(random_report(seed), "own").ok());
  return merge.take();
}

ReportModel cut_to_context(const ReportModel& report, const std::string& digits,
                           const identity::IdRules& rules) {
  const Result<std::vector<std::int32_t>> rows = identity::find_context(report, digits, rules);
  EXPECT_TRUE(rows.ok());
  std::vector<bool> is_chosen(report.nodes.parent.size());
  for (const std::int32_t row : *rows) is_chosen[static_cast<std::size_t>(row)] = true;
  return report::focused_on(report, is_chosen, "");
}

// An id that both reports have; "" where there is none.
std::string common_context(const ReportModel& a, const ReportModel& b,
                           const identity::IdRules& rules, std::mt19937_64& random) {
  const AmountsById of_a = amounts(a, rules), of_b = amounts(b, rules);
  std::vector<std::string> common;
  const StableId root = identity::root_id(rules);
  for (const auto& [id, of] : of_a) {
    if (id != root && of_b.contains(id)) common.push_back(hex(id));
  }
  return common.empty() ? "" : common[random() % common.size()];
}

TEST(Diff, CutToAContextIsTheDiffOfBothCutToIt) {
  std::size_t cuts = 0;
  for (std::uint64_t seed = kFirstSeed; seed < kFirstSeed + kSeeds; ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937_64 random(seed);
    const CompareOptions options = random_options(random);
    const ReportModel before = sum_of_two(seed, seed + 1, options.rules);
    const ReportModel now = sum_of_two(seed, seed + 2, options.rules);
    const std::string id = common_context(before, now, options.rules, random);
    if (id.empty()) continue;
    ++cuts;
    Comparison comparison = compared(before, now, options);
    ASSERT_TRUE(cut(comparison, {id, {}}).ok());
    expect_equal(comparison, compared(cut_to_context(before, id, options.rules),
                                      cut_to_context(now, id, options.rules), options));
  }
  EXPECT_GT(cuts, kSeeds / 4);
}

TEST(Diff, CutToMethodsIsTheDiffOfBothCutToThem) {
  std::size_t cuts = 0;
  for (std::uint64_t seed = kFirstSeed; seed < kFirstSeed + kSeeds; ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937_64 random(seed);
    CompareOptions options = random_options(random);
    options.rules.names = identity::Names::kExact;
    ReportModel before = sum_of_two(seed, seed + 1, options.rules);
    ReportModel now = sum_of_two(seed, seed + 2, options.rules);
    Comparison comparison = compared(before, now, options);
    const auto method = random() % now.methods.name.size();
    const std::string glob = now.methods.class_name[method] + (random() % 2 == 0 ? "" : ".**");
    CutOptions to;
    const std::array options_of_part = {&to.part.focus, &to.part.root, &to.part.subtract,
                                        &to.part.hide, &to.part.fold};
    *options_of_part[seed % options_of_part.size()] = {glob};
    if (seed % 3 == 0) to.part.root = {glob};
    if (!report::cut(before, to.part).ok() || !report::cut(now, to.part).ok()) continue;
    ++cuts;
    ASSERT_TRUE(cut(comparison, to).ok()) << glob;
    expect_equal(comparison, compared(before, now, options));
  }
  EXPECT_GT(cuts, kSeeds / 4);
}

}  // namespace
}  // namespace copse::diff
