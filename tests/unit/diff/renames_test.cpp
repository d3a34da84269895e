// Methods are the same by their names, and by those that a person gives them; others are only suggested.
#include "compare/diff/renames.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "compare/diff/changes.h"
#include "compare/diff/comparison.h"
#include "compare/diff/suggestions.h"
#include "support/expect_fault.h"
#include "support/small_report.h"

namespace copse::diff {
namespace {

using report::ReportModel;
using testing::SmallReport;

struct MethodName {
  std::string class_name, name, descriptor = "()V";
};
struct CallAt {
  std::size_t caller;  // 0: the thread's first method
  std::size_t callee;
  std::int32_t line, bci;
};

// Makes a report with a context for each call; each method is called once.
ReportModel program(const std::vector<MethodName>& methods, const std::vector<CallAt>& calls) {
  SmallReport report;
  for (const MethodName& method : methods) {
    report.method(method.class_name, method.name, method.descriptor);
  }
  std::vector<std::int32_t> node_of(methods.size(), -1);
  node_of[0] = report.node(0, 0);
  const auto add = [&](auto& self, std::size_t caller) -> void {
    const std::int32_t parent = node_of[caller];
    for (const CallAt& call : calls) {
      if (call.caller != caller) continue;
      node_of[call.callee] =
          report.node(parent, static_cast<std::int32_t>(call.callee), call.line, call.bci);
      self(self, call.callee);
    }
  };
  add(add, 0);
  return std::move(report.model);
}

using Words = std::vector<std::string>;

Result<Comparison> tried(const ReportModel& before, const ReportModel& now, const Words& values,
                         identity::Sites sites = identity::Sites::kNone) {
  Result<Renames> renames = Renames::parse(values);
  if (!renames.ok()) return renames.status();
  return compare(before, "a", now, "b",
                 {{sites, identity::Names::kNormalised}, std::move(renames).value()});
}

Comparison laid_over(const ReportModel& before, const ReportModel& now, const Words& values = {},
                     identity::Sites sites = identity::Sites::kNone) {
  Result<Comparison> result = tried(before, now, values, sites);
  EXPECT_TRUE(result.ok()) << result.message();
  return std::move(result).value();
}

Words renamed(const Comparison& comparison) {
  Words words;
  for (const Renamed& one : comparison.renamed) words.push_back(one.from + " > " + one.to);
  return words;
}

Words suggested(const Comparison& comparison) {
  Words words;
  for (const Suggestion& one : suggest_renames(comparison)) {
    words.push_back(one.from + " > " + one.to + ": " + one.option);
  }
  return words;
}

std::uint64_t unlike(const Comparison& comparison) {
  std::uint64_t contexts = 0;
  for (std::size_t node = 0; node < comparison.presence.size(); ++node) {
    contexts += comparison.in_old(node) == comparison.in_new(node) ? 0 : 1;
  }
  return contexts;
}

const std::vector<MethodName> kMethods = {
    {"p.Main", "main"}, {"p.Dao", "find"}, {"p.Dao", "read"}, {"p.Log", "log"}};
const std::vector<CallAt> kCalls = {{0, 1, 10, 3}, {1, 2, 20, 7}, {0, 3, 12, 9}};

TEST(Names, AreTheSameWhereLinesHaveMoved) {
  const Comparison comparison =
      laid_over(program(kMethods, kCalls),
                program(kMethods, {{0, 1, 110, 3}, {1, 2, 120, 8}, {0, 3, 112, 9}}));
  EXPECT_EQ(count_contexts(comparison).equal, 4u);
  EXPECT_EQ(comparison.both.sites.line, (std::vector<std::int32_t>{120, 110, 112})) << "NEW's";
}

TEST(Names, AreTheSameWhereACallWasAddedBefore) {
  std::vector<MethodName> more = kMethods;
  more.push_back({"p.Check", "check"});
  const ReportModel before = program(kMethods, kCalls);
  const ReportModel now =
      program(more, {{0, 4, 9, 3}, {0, 1, 11, 6}, {1, 2, 20, 7}, {0, 3, 13, 12}});
  const Comparison comparison = laid_over(before, now);
  EXPECT_EQ(count_contexts(comparison).equal, 4u);
  EXPECT_EQ(count_contexts(comparison).only_new, 1u);
  EXPECT_EQ(suggested(comparison), Words{});
  EXPECT_EQ(unlike(laid_over(before, now, {}, identity::Sites::kBytecodeIndex)), 7u)
      << "call sites are others where they are asked for";
}

// main calls f at these of three places.
ReportModel calling_at(const std::vector<std::size_t>& places) {
  constexpr std::int32_t kLines[] = {10, 11, 12}, kIndexes[] = {5, 15, 25};
  SmallReport report;
  report.method("p.Main", "main");
  report.method("p.A", "f");
  const std::int32_t top = report.node(0, 0);
  for (const std::size_t i : places) report.node(top, 1, kLines[i], kIndexes[i]);
  return std::move(report.model);
}

TEST(Names, AreThoseOfAllPlacesUnlessCallSitesAreAskedFor) {
  const ReportModel before = calling_at({0, 1}), now = calling_at({1, 2});
  const Comparison together = laid_over(before, now);
  EXPECT_EQ(count_contexts(together).equal, 2u);
  EXPECT_TRUE(together.both.sites.line.empty()) << "no one place";
  const Comparison apart = laid_over(before, now, {}, identity::Sites::kBytecodeIndex);
  EXPECT_EQ(count_contexts(apart).equal, 2u);
  EXPECT_EQ(count_contexts(apart).only_old, 1u);
  EXPECT_EQ(count_contexts(apart).only_new, 1u);
}

// As in two runs of one program, one with a cache.
TEST(Names, DecideWhateverIsAlike) {
  std::vector<MethodName> now = kMethods;
  now[1].name = "fetch";
  const Comparison comparison = laid_over(program(kMethods, kCalls), program(now, kCalls));
  EXPECT_EQ(renamed(comparison), Words{});
  EXPECT_EQ(count_contexts(comparison).only_old, 2u);
  EXPECT_EQ(count_contexts(comparison).only_new, 2u);
  EXPECT_EQ(suggested(comparison),
            Words{"p.Dao.find > p.Dao.fetch: --renamed 'p.Dao.find=p.Dao.fetch'"});
  const Comparison said =
      laid_over(program(kMethods, kCalls), program(now, kCalls), {"Dao.find=Dao.fetch"});
  EXPECT_EQ(renamed(said), Words{"p.Dao.find > p.Dao.fetch"});
  EXPECT_EQ(unlike(said), 0u);
  EXPECT_EQ(suggested(said), Words{});
}

TEST(Suggestions, AreALeafWithACallerInCommon) {
  std::vector<MethodName> now = kMethods;
  now[2].name = "load";
  EXPECT_EQ(suggested(laid_over(program(kMethods, kCalls), program(now, kCalls))),
            Words{"p.Dao.read > p.Dao.load: --renamed 'p.Dao.read=p.Dao.load'"});
}

TEST(Suggestions, AreNoneWhereTwoWouldFit) {
  std::vector<MethodName> now = kMethods;
  now[2].name = "load";
  now.push_back({"p.Dao", "scan"});
  std::vector<CallAt> calls = kCalls;
  calls.push_back({1, 4, 21, 11});
  EXPECT_EQ(suggested(laid_over(program(kMethods, kCalls), program(now, calls))), Words{});
}

TEST(Suggestions, AreNoneWhereItCallsSomethingElse) {
  std::vector<MethodName> now = kMethods;
  now[1].name = "fetch";
  std::vector<CallAt> calls = kCalls;
  calls.push_back({1, 3, 21, 11});
  calls.erase(calls.begin() + 1);
  EXPECT_EQ(suggested(laid_over(program(kMethods, kCalls), program(now, calls))), Words{});
}

TEST(Suggestions, AreNoConstructorForAMethod) {
  std::vector<MethodName> before = kMethods;
  before[2].name = "<init>";
  EXPECT_EQ(suggested(laid_over(program(before, kCalls), program(kMethods, kCalls))), Words{});
}

TEST(Suggestions, AreAnotherSignatureAndAreTakenAsSuch) {
  std::vector<MethodName> now = kMethods;
  now[1].descriptor = "(I)V";
  const ReportModel old_report = program(kMethods, kCalls), new_report = program(now, kCalls);
  EXPECT_EQ(suggested(laid_over(old_report, new_report)),
            Words{"p.Dao.find() > p.Dao.find(int): --renamed 'p.Dao.find=p.Dao.find'"});
  EXPECT_EQ(unlike(laid_over(old_report, new_report, {"Dao.find=Dao.find"})), 0u);
}

TEST(Suggestions, AreAClassWithItsMethods) {
  for (const std::string name : {"q.Dao", "p.Store"}) {
    std::vector<MethodName> now = kMethods;
    now[1].class_name = now[2].class_name = name;
    const ReportModel old_report = program(kMethods, kCalls), new_report = program(now, kCalls);
    EXPECT_EQ(suggested(laid_over(old_report, new_report)),
              Words{"p.Dao > " + name + ": --renamed 'p.Dao=" + name + "'"});
    const Comparison said = laid_over(old_report, new_report, {"p.Dao=" + name});
    EXPECT_EQ(unlike(said), 0u);
    EXPECT_EQ(renamed(said),
              (Words{"p.Dao.find > " + name + ".find", "p.Dao.read > " + name + ".read"}));
  }
}

TEST(Renames, PutWhatAStarTakesInThePlaceOfTheOther) {
  const auto now = [](const std::string& value) {
    const std::vector<MethodName> before = {{"p.Main", "main"},
                                            {"p.a.Dao", "getAll", "(Lp/a/Row;)Lp/a/Dao$Id;"},
                                            {"p.a.Dao$Id", "<init>"}};
    // Each name that a test wants is in NEW.
    std::vector<MethodName> after = before;
    for (const char* name : {"q.a.Dao", "p.a.Store", "p.b.Dao"}) {
      after.push_back({name, "getAll"});
      after.push_back({name, "findAll"});
    }
    after.push_back({"p.a.Dao", "findAll"});
    const ReportModel old_report = program(before, {{0, 1, 1, 1}, {1, 2, 2, 2}});
    const ReportModel new_report = program(after, {});
    Words words;
    const Comparison comparison = laid_over(old_report, new_report, {value});
    const ReportModel::Methods& methods = comparison.both.methods;
    for (std::size_t node = 1; node < comparison.presence.size(); ++node) {
      const auto row = static_cast<std::size_t>(comparison.both.nodes.method[node]);
      if (!comparison.in_old(node) || methods.name[row] == "main") continue;
      words.push_back(methods.class_name[row] + "." + methods.name[row] + methods.descriptor[row]);
    }
    return words;
  };
  EXPECT_EQ(now("p.a.**=q.a.**"), (Words{"q.a.Dao.getAll()V", "q.a.Dao$Id.<init>()V"}))
      << "NEW's signature, where both have one method of the name";
  EXPECT_EQ(now("Dao.get*=Dao.find*"), (Words{"p.a.Dao.findAll()V", "p.a.Dao$Id.<init>()V"}));
  EXPECT_EQ(now("p.a.Dao=p.a.Store"), (Words{"p.a.Store.getAll()V", "p.a.Store$Id.<init>()V"}));
  EXPECT_EQ(now("Dao=Store"), now("p.a.Dao=p.a.Store"));
  EXPECT_EQ(now("p.*.Dao.**=p.*.Store.**"), now("Dao=Store"));
  EXPECT_EQ(now("p.a.Dao.getAll=p.b.Dao.findAll"),
            (Words{"p.b.Dao.findAll()V", "p.a.Dao$Id.<init>()V"}));
}

TEST(Renames, TakeClassesInSignaturesAlong) {
  const std::vector<MethodName> before = {{"p.Main", "main"},
                                          {"p.Main", "use", "([Lp/Row;I)V"},
                                          {"p.Main", "use", "(I)V"},
                                          {"p.Row", "get"}};
  std::vector<MethodName> now = before;
  now[1].descriptor = "([Lq/Line;I)V";
  now[3].class_name = "q.Line";
  const std::vector<CallAt> calls = {{0, 1, 1, 1}, {0, 2, 2, 2}, {1, 3, 3, 3}};
  EXPECT_EQ(unlike(laid_over(program(before, calls), program(now, calls), {"p.Row=q.Line"})), 0u);
}

TEST(Renames, TakeLambdasAndNumberedClassesOfAMethodAlong) {
  const auto made = [](const std::string& class_name, const std::string& method) {
    SmallReport report;
    const std::int32_t top = report.node(0, report.method("p.Main", "main"));
    const std::int32_t node = report.node(top, report.method(class_name, method), 1, 1);
    report.node(node, report.method(class_name, "lambda$" + method + "$3"), 2, 2);
    report.node(node, report.numbered(class_name + "$1", "~" + method + "~aaaaaaaaaaaa", "run"), 3,
                3);
    return std::move(report.model);
  };
  const ReportModel before = made("p.Dao", "find");
  EXPECT_EQ(unlike(laid_over(before, made("p.Dao", "load"))), 6u);
  EXPECT_EQ(unlike(laid_over(before, made("p.Dao", "load"), {"Dao.find=Dao.load"})), 0u);
  EXPECT_EQ(unlike(laid_over(before, made("q.Store", "find"), {"p.Dao=q.Store"})), 0u);
  EXPECT_EQ(unlike(laid_over(before, made("q.Store", "load"),
                             {"p.Dao.find=q.Store.load", "p.Dao=q.Store"})),
            0u);
}

TEST(Renames, ByThePersonHaveTheNumberThatIsGiven) {
  const auto made = [](const std::string& number, const std::string& code) {
    SmallReport report;
    const std::int32_t top = report.node(0, report.method("p.V", "main"));
    report.node(top, report.numbered("p.V$" + number, "~main~" + code, "run"), 3, 3);
    return std::move(report.model);
  };
  const ReportModel before = made("1", "aaaaaaaaaaaa"), now = made("2", "bbbbbbbbbbbb");
  EXPECT_EQ(unlike(laid_over(before, now)), 2u);
  EXPECT_EQ(unlike(laid_over(before, now, {"p.V$1=p.V$2"})), 0u);
}

TEST(Renames, AreRefusedWhereTheyCannotBeMeant) {
  const ReportModel report = program(kMethods, kCalls);
  EXPECT_FAULT(tried(report, report, {"Dao.find"}), kUsage, "--renamed Dao.find: write OLD=NEW");
  EXPECT_FAULT(tried(report, report, {"Dao.find="}), kUsage, "--renamed Dao.find=: write OLD=NEW");
  EXPECT_FAULT(tried(report, report, {"p.*=q.**"}), kUsage, "--renamed 'p.*=q.**'", "stars");
  EXPECT_FAULT(tried(report, report, {"p.*=q"}), kUsage, "stars");
  EXPECT_FAULT(tried(report, report, {"Dao.fnd=Dao.find"}), kNotFound,
               "--renamed Dao.fnd=Dao.find: Dao.fnd names nothing in a", "did you mean Dao.find?");
  EXPECT_FAULT(tried(report, report, {"Dao.find=Dao.rea"}), kNotFound, "Dao.rea names nothing in b",
               "did you mean Dao.read?");
}

// main calls C.m, which throws and makes objects of a class that says so in its constructor.
ReportModel throwing(const std::string& package, const std::string& method,
                     const std::vector<int>& lines) {
  SmallReport report;
  const std::string own = package + "C", error = package + "Error";
  const std::int32_t main = report.node(0, report.method("Main", "main"));
  const std::int32_t called = report.node(main, report.method(own, method), 5, 1);
  report.node(called, report.method(error, "<init>"), 8, 3);
  report.node(called, report.method(own, "check"), 9, 6);
  for (const int line : lines) {
    const std::string place = own + "." + method + ":" + std::to_string(line);
    report.node(called, report.method("", "throw " + error + " at " + place, ""), -1, 0, 0);
  }
  report.node(called, report.method("", "new " + error, ""), -1, 0, 0);
  return std::move(report.model);
}

TEST(Renames, AreThoseOfEvents) {
  const ReportModel before = throwing("", "m", {8, 12});
  EXPECT_EQ(unlike(laid_over(before, throwing("v2.", "m", {8, 12}), {"C=v2.C", "Error=v2.Error"})),
            0u);
  EXPECT_EQ(unlike(laid_over(before, throwing("", "find", {8, 12}), {"C.m=C.find"})), 0u);
  EXPECT_NE(unlike(laid_over(before, throwing("", "find", {8, 12}))), 0u);
}

TEST(Events, AreTheSameWhereTheirLinesHaveMoved) {
  const ReportModel before = throwing("", "m", {8, 12});
  EXPECT_EQ(unlike(laid_over(before, throwing("", "m", {9, 13}))), 0u);
  EXPECT_EQ(unlike(laid_over(before, throwing("", "m", {9, 13, 20}))), 0u) << "each is of m";
  EXPECT_EQ(unlike(laid_over(before, throwing("", "m", {8}), {}, identity::Sites::kBytecodeIndex)),
            1u)
      << "call sites count";
  const Comparison same = laid_over(throwing("", "m", {8}), throwing("", "m", {8}));
  EXPECT_NE(std::ranges::find(same.both.methods.name, "throw Error at C.m:8"),
            same.both.methods.name.end())
      << "the line is told where it is one";
  const ReportModel lambda = throwing("", "lambda$f$3", {8});
  EXPECT_EQ(unlike(laid_over(lambda, throwing("", "lambda$f$4", {8}))), 0u);
}

// A thread of each name calls work().
ReportModel on_threads(const std::vector<std::string>& names) {
  SmallReport report;
  const std::int32_t work = report.method("p.Main", "work");
  for (const std::string& name : names) {
    report.node(report.node(0, report.method("", "[" + name + "]", ""), -1, 0, 0), work);
  }
  return std::move(report.model);
}

TEST(Threads, AreTheirGroupWhereTheirNamesAreOthersInEachRun) {
  const ReportModel before = on_threads({"main", "job-5f3a09bc", "job-6e3a09bc"});
  const Comparison comparison = laid_over(before, on_threads({"main", "job-00ab34cd"}));
  EXPECT_EQ(unlike(comparison), 0u);
  EXPECT_EQ(comparison.old_values(0), (std::vector<std::uint64_t>{0, 0, 2, 0, 1}));
}

TEST(Threads, AreThemselvesWhereANameIsInBoth) {
  const ReportModel before = on_threads({"pool-1", "pool-2"});
  EXPECT_EQ(unlike(laid_over(before, on_threads({"pool-2", "pool-3"}))), 4u);
  EXPECT_EQ(unlike(laid_over(before, on_threads({"pool-3", "pool-4"}))), 0u);
}

}  // namespace
}  // namespace copse::diff
