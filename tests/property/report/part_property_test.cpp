// Parts of random reports, against what the paths of all contexts say, spelled out one by one.
#include <gtest/gtest.h>

#include <cstdint>
#include <map>
#include <numeric>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "report/model/hottest.h"
#include "report/model/model_builder.h"
#include "report/model/model_check.h"
#include "report/model/row.h"
#include "report/part/cut.h"
#include "report/part/method_choice.h"
#include "report/text/callers_tree.h"
#include "support/report_samples.h"

namespace copse::report {
namespace {

struct Amounts {
  std::uint64_t calls = 0;
  std::uint64_t bytes = 0;
  friend bool operator==(const Amounts&, const Amounts&) = default;
};
using Contexts = std::map<std::string, Amounts>;

std::ostream& operator<<(std::ostream& out, const Amounts& amounts) {
  return out << amounts.calls << " calls, " << amounts.bytes << " bytes";
}

class AnyPart : public ::testing::TestWithParam<int> {
 protected:
  AnyPart() : random_(static_cast<std::uint64_t>(GetParam())) {
    const auto seed = static_cast<std::uint64_t>(GetParam());
    testing::DemoProgram program =
        testing::random_program(seed, 1 + static_cast<std::uint32_t>(seed * 53 % 700));
    std::vector<std::uint64_t> bytes(program.tree.node_count());
    for (std::size_t node = 1; node < bytes.size(); ++node) bytes[node] = random_() % 5000;
    program.tables.measures = {{"bytes", "bytes", random_() % 3, bytes}};
    program.tables.calls_lost = random_() % 3;
    program.tables.calls_seen += program.tables.calls_lost;
    model_ = std::move(build_model(program.tree, std::move(program.tables))).value();
    // In every other report some contexts are evicted.
    if (seed % 2 == 0 && model_.totals.contexts > 10) {
      model_ = hottest(model_, 2 + random_() % (model_.totals.contexts - 2));
    }
    choose();
  }

  // One to three of the methods that are in a context.
  void choose() {
    std::vector<std::string> globs;
    for (std::uint64_t n = 1 + random_() % 3; n > 0; --n) {
      const std::int32_t method =
          model_.nodes.method[1 + random_() % (model_.nodes.method.size() - 1)];
      globs.push_back(model_.methods.class_name[at(method)] + "." +
                      model_.methods.name[at(method)]);
    }
    choice_ = std::move(choose_methods(model_, "--option", globs)).value();
  }

  Result<MethodChoice> choose_again(const ReportModel& part) const {
    return choose_methods(part, "--option", choice_.globs);
  }

  static std::string part_frame(const ReportModel& part, std::int32_t method, std::int32_t site) {
    return part.methods.class_name[at(method)] + "." + part.methods.name[at(method)] + "@" +
           std::to_string(site) + ";";
  }

  std::string frame(const ReportModel& model, std::size_t row, bool with_site) const {
    const std::size_t method = at(model.nodes.method[row]);
    const std::int32_t site = model.nodes.site[row];
    const std::string where = site < 0 || !with_site
                                  ? "-"
                                  : std::to_string(model.sites.line[at(site)]) + "," +
                                        std::to_string(model.sites.bci[at(site)]);
    return where + ">" + model.methods.class_name[method] + "." + model.methods.name[method] + ";";
  }

  // From `top` on, which has no caller there.
  std::string path(const ReportModel& model, std::size_t row, std::size_t top) const {
    std::string path;
    for (; row != top; row = at(model.nodes.parent[row])) {
      path = frame(model, row, true) + path;
    }
    return frame(model, top, false) + path;
  }

  // The outermost row of the path that is chosen, if any is.
  std::optional<std::size_t> outermost(std::size_t row) const {
    std::optional<std::size_t> found;
    for (; row != 0; row = at(model_.nodes.parent[row])) {
      if (choice_.has(model_.nodes.method[row])) found = row;
    }
    return found;
  }
  std::size_t entry(const ReportModel& model, std::size_t row) const {
    while (model.nodes.parent[row] != 0) row = at(model.nodes.parent[row]);
    return row;
  }

  // Contexts of the part, without those that have no amounts. Each must occur once.
  Contexts contexts_of(const ReportModel& part) const {
    Contexts contexts;
    std::map<std::string, int> times;
    for (std::size_t row = 1; row < part.nodes.parent.size(); ++row) {
      const std::string name = path(part, row, entry(part, row));
      EXPECT_EQ(++times[name], 1) << name;
      const Amounts amounts{part.nodes.calls[row], part.measures[0].values[row]};
      if (amounts != Amounts{}) contexts[name] = amounts;
    }
    return contexts;
  }

  void expect_sound(const ReportModel& part) const {
    const Status sound = check_invariants(part);
    EXPECT_TRUE(sound.ok()) << sound.message();
    EXPECT_EQ(part.totals.calls_seen, part.totals.calls + part.totals.calls_lost);
    EXPECT_EQ(part.totals.calls_lost, model_.totals.calls_lost);
    EXPECT_EQ(part.measures[0].lost, model_.measures[0].lost);
    expect_order(part);
    std::vector<bool> has_method(part.methods.name.size());
    std::vector<bool> has_site(part.sites.method.size());
    for (std::size_t row = 1; row < part.nodes.parent.size(); ++row) {
      const std::int32_t site = part.nodes.site[row];
      has_method[at(part.nodes.method[row])] = true;
      if (site < 0) continue;
      has_site[at(site)] = true;
      EXPECT_EQ(part.sites.method[at(site)], part.nodes.method[at(part.nodes.parent[row])]);
    }
    EXPECT_EQ(std::count(has_method.begin(), has_method.end(), false), 0);
    EXPECT_EQ(std::count(has_site.begin(), has_site.end(), false), 0);
  }

  // Children by method, line and bytecode index. Evicted contexts, which hottest() puts first, apart.
  void expect_order(const ReportModel& part) const {
    std::map<std::int32_t, std::vector<std::int32_t>> last;
    for (std::size_t row = 1; row < part.nodes.parent.size(); ++row) {
      const std::int32_t site = part.nodes.site[row];
      if (is_evicted_method(part.methods, at(part.nodes.method[row]))) continue;
      std::vector<std::int32_t> place = {part.nodes.method[row],
                                         site < 0 ? -1 : part.sites.line[at(site)],
                                         site < 0 ? -1 : part.sites.bci[at(site)]};
      std::vector<std::int32_t>& before = last[part.nodes.parent[row]];
      EXPECT_LT(before, place);
      before = std::move(place);
    }
  }

  template <typename Visit>
  void each_row(Visit visit) const {
    for (std::size_t row = 1; row < model_.nodes.parent.size(); ++row) {
      const Amounts amounts{model_.nodes.calls[row], model_.measures[0].values[row]};
      visit(row, amounts);
    }
  }

  std::mt19937_64 random_;
  ReportModel model_;
  MethodChoice choice_;
};

void add(Contexts& contexts, const std::string& path, const Amounts& amounts) {
  if (amounts == Amounts{}) return;
  contexts[path].calls += amounts.calls;
  contexts[path].bytes += amounts.bytes;
}

TEST_P(AnyPart, InFocusHasTheContextsThroughAChosenMethodUnchanged) {
  SCOPED_TRACE("seed " + std::to_string(GetParam()));
  const ReportModel part = focused(model_, choice_);
  Contexts expected;
  each_row([&](std::size_t row, const Amounts& amounts) {
    if (outermost(row)) add(expected, path(model_, row, entry(model_, row)), amounts);
  });
  EXPECT_EQ(contexts_of(part), expected);
  expect_sound(part);
}

TEST_P(AnyPart, FromRootsHasEachContextOnceBelowItsOutermostChosenMethod) {
  SCOPED_TRACE("seed " + std::to_string(GetParam()));
  const ReportModel part = rooted(model_, choice_);
  Contexts expected;
  each_row([&](std::size_t row, const Amounts& amounts) {
    if (const auto top = outermost(row)) add(expected, path(model_, row, *top), amounts);
  });
  EXPECT_EQ(contexts_of(part), expected);
  expect_sound(part);
}

TEST_P(AnyPart, OfCallersHasEachCallOnceAndWhatIsBelowOutermostOnes) {
  SCOPED_TRACE("seed " + std::to_string(GetParam()));
  const ReportModel part = calls_into(model_, choice_);
  Contexts expected;
  each_row([&](std::size_t row, const Amounts& amounts) {
    if (choice_.has(model_.nodes.method[row])) {
      add(expected, path(model_, row, entry(model_, row)), {amounts.calls, 0});
    }
    if (const auto top = outermost(row)) {
      add(expected, path(model_, *top, entry(model_, *top)), {0, amounts.bytes});
    }
  });
  EXPECT_EQ(contexts_of(part), expected);
  expect_sound(part);
  const ReportModel again = calls_into(part, std::move(choose_again(part)).value());
  EXPECT_EQ(contexts_of(again), expected);
}

// Each frame of the tree, with the frames above it, against all contexts that end so.
TEST_P(AnyPart, UpsideDownAddsUpInEveryFrame) {
  SCOPED_TRACE("seed " + std::to_string(GetParam()));
  ReportModel part = calls_into(model_, choice_);
  part.shown = "bytes";
  Contexts expected;
  for (std::size_t row = 1; row < part.nodes.parent.size(); ++row) {
    const Amounts amounts{part.nodes.calls[row], part.measures[0].values[row]};
    std::string path = part_frame(part, part.nodes.method[row], -1);
    add(expected, path, amounts);
    for (std::size_t at_row = row; part.nodes.parent[at_row] != 0;) {
      const std::size_t caller = at(part.nodes.parent[at_row]);
      path += part_frame(part, part.nodes.method[caller], part.nodes.site[at_row]);
      add(expected, path, amounts);
      at_row = caller;
    }
  }
  const CallersTree tree(part);
  Contexts found;
  struct Item {
    CallersTree::Frame frame;
    std::string above;
  };
  std::vector<Item> pending;
  std::uint64_t outermost_calls = 0;
  for (CallersTree::Frame& top : tree.tops()) {
    outermost_calls += top.amounts.outermost_calls;
    pending.push_back({std::move(top), ""});
  }
  while (!pending.empty()) {
    const Item item = std::move(pending.back());
    pending.pop_back();
    const std::string path = item.above + part_frame(part, item.frame.method, item.frame.site);
    add(found, path, {item.frame.amounts.calls, item.frame.amounts.shown});
    Amounts below;
    std::vector<CallersTree::Frame> callers = tree.callers(item.frame);
    for (CallersTree::Frame& caller : callers) {
      below.calls += caller.amounts.calls;
      below.bytes += caller.amounts.shown;
      if (caller.method != CallersTree::kNoCaller) pending.push_back({std::move(caller), path});
    }
    if (!callers.empty()) {
      EXPECT_EQ(below, (Amounts{item.frame.amounts.calls, item.frame.amounts.shown})) << path;
    }
  }
  EXPECT_EQ(found, expected);
  std::uint64_t expected_outermost = 0;
  for (std::size_t row = 1; row < part.nodes.parent.size(); ++row) {
    bool is_inner = false;
    for (std::size_t up = at(part.nodes.parent[row]); up != 0; up = at(part.nodes.parent[up])) {
      is_inner = is_inner || part.nodes.calls[up] != 0 || part.measures[0].values[up] != 0;
    }
    if (!is_inner) expected_outermost += part.nodes.calls[row];
  }
  EXPECT_EQ(outermost_calls, expected_outermost);
}

TEST_P(AnyPart, OfEverythingIsEverything) {
  SCOPED_TRACE("seed " + std::to_string(GetParam()));
  const MethodChoice all = std::move(choose_methods(model_, "--option", {"**"})).value();
  for (const ReportModel& part : {focused(model_, all), rooted(model_, all)}) {
    EXPECT_EQ(contexts_of(part), contexts_of(model_));
    EXPECT_EQ(part.totals.evicted_calls, model_.totals.evicted_calls);
    EXPECT_EQ(part.totals.max_depth, model_.totals.max_depth);
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, AnyPart, ::testing::Range(1, 41));

}  // namespace
}  // namespace copse::report
