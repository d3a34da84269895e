// Anonymous and generated classes that have another number in NEW are the same, and nothing wrong is said of others.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "compare/diff/changes.h"
#include "compare/diff/comparison.h"
#include "support/small_report.h"

namespace copse::diff {
namespace {

using report::ReportModel;
using testing::SmallReport;
using Words = std::vector<std::string>;

// A class of p.V: its number, the method around it, the hash of its code, and what its run() calls.
struct Made {
  std::string number;
  std::string code;
  Words calls = {};
  std::string method = "main";
  std::string outer = "p.V";
};

// main makes an object of each class and runs it, each in a line of its own.
ReportModel program(const std::vector<Made>& classes, const std::string& main_class = "p.V") {
  SmallReport report;
  const std::int32_t main = report.node(0, report.method(main_class, "main"));
  const std::int32_t other = report.method(main_class, "help");
  report.node(main, other, 5, 1);
  for (const Made& made : classes) {
    const std::int32_t line = 10 * std::stoi(made.number);
    const std::string name = made.outer + "$" + made.number;
    const std::string stable = "~" + made.method + "~" + made.code;
    const std::int32_t constructor = report.numbered(name, stable, "<init>");
    report.node(main, constructor, line, 3 * line);
    const std::int32_t run = report.numbered(name, stable, "run");
    const std::int32_t node = report.node(main, run, line + 1, 3 * line + 6);
    for (const std::string& callee : made.calls) {
      report.node(node, report.method("p.Log", callee), 100, 2);
    }
  }
  return std::move(report.model);
}

Comparison laid_over(const ReportModel& before, const ReportModel& now,
                     const CompareOptions& options = {}) {
  Result<Comparison> result = compare(before, "a", now, "b", options);
  EXPECT_TRUE(result.ok()) << result.message();
  return std::move(result).value();
}

Words renamed(const Comparison& comparison) {
  Words words;
  for (const Renamed& one : comparison.renamed) words.push_back(one.from + " > " + one.to);
  return words;
}

// Methods of the contexts that one report alone has.
Words only_in(const Comparison& comparison, bool is_new) {
  Words words;
  const ReportModel& both = comparison.both;
  for (std::size_t node = 1; node < both.nodes.parent.size(); ++node) {
    if (comparison.in_new(node) != is_new || comparison.in_old(node) == is_new) continue;
    const auto method = static_cast<std::size_t>(both.nodes.method[node]);
    words.push_back(both.methods.class_name[method] + "." + both.methods.name[method]);
  }
  std::ranges::sort(words);
  return words;
}

void expect(const Comparison& comparison, Words added, Words gone, const Words& other_names) {
  std::ranges::sort(added);
  std::ranges::sort(gone);
  EXPECT_EQ(only_in(comparison, true), added);
  EXPECT_EQ(only_in(comparison, false), gone);
  EXPECT_EQ(renamed(comparison), other_names);
}

const Made kA{"1", "aaaaaaaaaaaa", {"a"}}, kB{"2", "bbbbbbbbbbbb", {"b"}},
    kC{"3", "cccccccccccc", {"c"}};

Made as(Made made, const std::string& number) {
  made.number = number;
  return made;
}

TEST(NumberedClasses, AreTheSameBehindOneThatWasAdded) {
  const Made added{"1", "dddddddddddd", {"d"}};
  expect(laid_over(program({kA, kB, kC}), program({added, as(kA, "2"), as(kB, "3"), as(kC, "4")})),
         {"p.V$1.<init>", "p.V$1.run", "p.Log.d"}, {},
         {"p.V$1 > p.V$2", "p.V$2 > p.V$3", "p.V$3 > p.V$4"});
}

TEST(NumberedClasses, AreTheSameBehindOneThatIsGone) {
  expect(laid_over(program({kA, kB, kC}), program({as(kB, "1"), as(kC, "2")})), {},
         {"p.Log.a", "p.V$1.<init>", "p.V$1.run"}, {"p.V$2 > p.V$1", "p.V$3 > p.V$2"});
}

TEST(NumberedClasses, AreTheSameInAnotherOrder) {
  const Comparison comparison =
      laid_over(program({kA, kB, kC}), program({as(kC, "1"), as(kA, "2"), as(kB, "3")}));
  EXPECT_EQ(renamed(comparison), (Words{"p.V$1 > p.V$2", "p.V$2 > p.V$3", "p.V$3 > p.V$1"}));
}

// All have one hash: that of the descriptor of the method around them.
TEST(NumberedClasses, OfOneNameAreThoseOfTheirMethods) {
  const auto local = [](int number, const char* method) {
    return Made{std::to_string(number) + "Local", "eeeeeeeeeeee", {"a"}, method};
  };
  expect(laid_over(program({local(1, "f"), local(2, "g")}),
                   program({local(1, "e"), local(2, "f"), local(3, "g")})),
         {"p.V$1Local.<init>", "p.V$1Local.run", "p.Log.a"}, {},
         {"p.V$1Local > p.V$2Local", "p.V$2Local > p.V$3Local"});
}

TEST(NumberedClasses, OfOneBuildKeepTheirNumbersWhateverWasLoaded) {
  const Made twin = as(kA, "2"), last = as(kA, "3");
  expect(laid_over(program({kA, twin}), program({twin, last})),
         {"p.V$3.<init>", "p.V$3.run", "p.Log.a"}, {"p.V$1.<init>", "p.V$1.run", "p.Log.a"}, {});
  expect(laid_over(program({kA, twin, last}), program({kA, twin, last})), {}, {}, {});
}

// Classes of p.V$... that have contexts.
Words classes_of(const Comparison& comparison) {
  std::set<std::string> names;
  for (const std::string& name : comparison.both.methods.class_name) {
    if (name.starts_with("p.V$")) names.insert(name);
  }
  return {names.begin(), names.end()};
}

TEST(NumberedClasses, ThatAreAlikeAreOneWhereNumbersMoved) {
  const Made added{"1", "dddddddddddd", {"d"}};
  const Comparison comparison =
      laid_over(program({kA, as(kA, "2")}), program({added, as(kA, "2"), as(kA, "3")}));
  expect(comparison, {"p.V$1.<init>", "p.V$1.run", "p.Log.d"}, {}, {});
  EXPECT_EQ(classes_of(comparison), (Words{"p.V$*", "p.V$1"}));
}

// Another class of the same code may have run, or a class in front of it was added that did not run.
TEST(NumberedClasses, AreOneWithoutANumberWhereNothingTellsWhetherNumbersMoved) {
  const Comparison comparison = laid_over(program({kA}), program({as(kA, "2")}));
  expect(comparison, {}, {}, {});
  EXPECT_EQ(classes_of(comparison), Words{"p.V$*"});
}

TEST(NumberedClasses, WhoseCodeWasChangedAreKnownByTheirNumber) {
  Made changed = kB;
  changed.code = "b0b0b0b0b0b0";
  changed.calls = {};
  expect(laid_over(program({kA, kB, kC}), program({kA, changed, kC})), {}, {"p.Log.b"}, {});
}

TEST(NumberedClasses, WhoseCodeAndNumberWereChangedAreOthers) {
  const Made added{"1", "dddddddddddd", {"d"}};
  Made changed = as(kB, "3");
  changed.code = "b0b0b0b0b0b0";
  expect(laid_over(program({kA, kB, kC}), program({added, as(kA, "2"), changed, as(kC, "4")})),
         {"p.V$1.<init>", "p.V$1.run", "p.V$3.<init>", "p.V$3.run", "p.Log.b", "p.Log.d"},
         {"p.V$2.<init>", "p.V$2.run", "p.Log.b"}, {"p.V$1 > p.V$2", "p.V$3 > p.V$4"});
}

// As in two runs of one program, where each took one of two branches.
TEST(NumberedClasses, OfOneMethodAreOthersWhateverTheyCall) {
  Made other = kB;
  other.calls = kA.calls;
  expect(laid_over(program({kA}), program({other})), {"p.V$2.<init>", "p.V$2.run", "p.Log.a"},
         {"p.V$1.<init>", "p.V$1.run", "p.Log.a"}, {});
}

// V$1 has another number now, and nothing says which.
TEST(NumberedClasses, AreNotTakenForOthersThatCallSomethingElse) {
  const Made added{"1", "dddddddddddd", {"d"}};
  Made other = as(kA, "2");
  other.code = "a0a0a0a0a0a0";
  other.calls = {"y"};
  const Comparison comparison = laid_over(program({kA, kB}), program({added, other, as(kB, "3")}));
  EXPECT_EQ(renamed(comparison), Words{"p.V$2 > p.V$3"});
}

TEST(NumberedClasses, OfOtherMethodsAreOthers) {
  Made elsewhere = as(kA, "2");
  elsewhere.method = "start";
  expect(laid_over(program({kA}), program({as(kB, "5"), elsewhere})),
         {"p.V$2.<init>", "p.V$2.run", "p.V$5.<init>", "p.V$5.run", "p.Log.a", "p.Log.b"},
         {"p.V$1.<init>", "p.V$1.run", "p.Log.a"}, {});
}

TEST(NumberedClasses, FollowTheClassAroundThem) {
  Made a = kA, b = kB;
  for (Made* made : {&a, &b}) {
    made->outer = "p.W";
    made->code[0] = 'f';
  }
  CompareOptions options;
  options.renames = Renames::parse({"p.V=p.W"}).value();
  const Comparison comparison = laid_over(program({kA, kB}), program({a, b}, "p.W"), options);
  EXPECT_EQ(only_in(comparison, true), Words{});
  EXPECT_EQ(only_in(comparison, false), Words{});
}

TEST(NumberedClasses, WithoutStableNamesAreKnownByTheirNumbers) {
  const Made added{"1", "dddddddddddd", {"d"}};
  ReportModel before = program({kA, kB}), now = program({added, as(kA, "2"), as(kB, "3")});
  for (ReportModel* report : {&before, &now}) {
    for (std::string& stable : report->methods.stable_class) stable.clear();
  }
  EXPECT_EQ(renamed(laid_over(before, now)), Words{}) << "nothing wrong is said";
  EXPECT_EQ(renamed(laid_over(before, program({added, as(kA, "2"), as(kB, "3")}))), Words{});
}

TEST(NumberedClasses, StayAsTheyAreWhereThatIsAskedFor) {
  const Made added{"1", "dddddddddddd", {"d"}};
  const ReportModel before = program({kA}), now = program({added, as(kA, "2")});
  CompareOptions exact;
  exact.rules.names = identity::Names::kExact;
  EXPECT_EQ(renamed(laid_over(before, now, exact)), Words{});
}

TEST(NumberedClasses, HaveTheStableNamesOfNewInTheComparison) {
  const Made added{"1", "dddddddddddd", {"d"}};
  const Comparison comparison = laid_over(program({kA, kB}), program({added, as(kA, "2")}));
  for (std::size_t row = 0; row < comparison.both.methods.name.size(); ++row) {
    const std::string& name = comparison.both.methods.class_name[row];
    const std::string& stable = comparison.both.methods.stable_class[row];
    EXPECT_EQ(stable.starts_with("p.V$*~main~"), name.starts_with("p.V$")) << name << ' ' << stable;
  }
}

// Four classes of a shell; each run numbers them from another start.
TEST(NumberedClasses, OfAShellAreTheSame) {
  const auto shell = [](int first) {
    SmallReport report;
    for (int i = 0; i < 4; ++i) {
      const std::string code = "~~00000000000" + std::to_string(i);
      const std::string eval = "user$eval" + std::to_string(first + 2 * i);
      const std::int32_t top = report.node(0, report.numbered(eval, code, "invoke"), -1, 0, 1);
      const std::string fn = eval + "$fn__" + std::to_string(first + 2 * i + 1);
      report.node(top, report.numbered(fn, code, "invoke"), 1, 5, 7);
    }
    return std::move(report.model);
  };
  const Comparison comparison = laid_over(shell(140), shell(152));
  EXPECT_EQ(count_contexts(comparison).equal, 8u);
  EXPECT_EQ(only_in(comparison, true), Words{});
}

}  // namespace
}  // namespace copse::diff
