// Code with another name or place in NEW is found again, and nothing else is.
#include <gtest/gtest.h>

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

Comparison laid_over(const ReportModel& before, const ReportModel& now, bool find = true) {
  CompareOptions options;
  options.find_moved_code = find;
  Result<Comparison> result = compare(before, "a", now, "b", options);
  EXPECT_TRUE(result.ok()) << result.message();
  return std::move(result).value();
}

std::vector<std::string> renamed(const Comparison& comparison) {
  std::vector<std::string> words;
  for (const Renamed& one : comparison.renamed) words.push_back(one.from + " > " + one.to);
  return words;
}

using Words = std::vector<std::string>;

const std::vector<MethodName> kMethods = {
    {"p.Main", "main"}, {"p.Dao", "find"}, {"p.Dao", "read"}, {"p.Log", "log"}};
const std::vector<CallAt> kCalls = {{0, 1, 10, 3}, {1, 2, 20, 7}, {0, 3, 12, 9}};

TEST(MovedCode, IsNoChangeWhereLinesHaveMoved) {
  const Comparison comparison =
      laid_over(program(kMethods, kCalls),
                program(kMethods, {{0, 1, 110, 3}, {1, 2, 120, 7}, {0, 3, 112, 9}}));
  EXPECT_EQ(count_contexts(comparison).equal, 4u);
  EXPECT_EQ(comparison.moved_sites, 0u);
  EXPECT_EQ(comparison.both.sites.line, (std::vector<std::int32_t>{120, 110, 112}));
}

TEST(MovedCode, IsFoundWhereACallWasAddedBefore) {
  std::vector<MethodName> more = kMethods;
  more.push_back({"p.Check", "check"});
  const Comparison comparison =
      laid_over(program(kMethods, kCalls),
                program(more, {{0, 4, 9, 3}, {0, 1, 11, 6}, {1, 2, 20, 7}, {0, 3, 13, 12}}));
  EXPECT_EQ(count_contexts(comparison).equal, 4u);
  EXPECT_EQ(count_contexts(comparison).only_new, 1u);
  EXPECT_EQ(comparison.moved_sites, 2u);
  EXPECT_TRUE(comparison.renamed.empty());
}

TEST(MovedCode, StaysWhereABranchWasTakenInOneRunAlone) {
  const std::vector<CallAt> three = {{0, 3, 10, 5}, {0, 1, 11, 15}, {0, 2, 12, 25}};
  const std::vector<MethodName> same = {
      {"p.Main", "main"}, {"p.A", "f"}, {"p.A", "f"}, {"p.A", "f"}};
  const auto run = [&](std::vector<std::size_t> taken) {
    SmallReport report;
    report.method("p.Main", "main");
    report.method("p.A", "f");
    const std::int32_t top = report.node(0, 0);
    for (const std::size_t i : taken) report.node(top, 1, three[i].line, three[i].bci);
    return std::move(report.model);
  };
  const Comparison comparison = laid_over(run({0, 1}), run({1, 2}));
  EXPECT_EQ(comparison.moved_sites, 0u);
  EXPECT_EQ(count_contexts(comparison).equal, 2u);
  EXPECT_EQ(count_contexts(comparison).only_old, 1u);
  EXPECT_EQ(count_contexts(comparison).only_new, 1u);
}

TEST(MovedCode, IsNotTakenForWhatStandsInItsPlace) {
  // OLD: g at 3, h at 5. NEW: h at 3, g at 5; they cannot both be moved, and neither becomes the other.
  const auto run = [](std::int32_t first, std::int32_t second, std::int32_t line) {
    SmallReport report;
    report.method("p.Main", "main");
    report.method("p.A", "g");
    report.method("p.A", "h");
    const std::int32_t top = report.node(0, 0);
    report.node(top, first, line, 3);
    report.node(top, second, line + 1, 5);
    return std::move(report.model);
  };
  const Comparison comparison = laid_over(run(1, 2, 10), run(2, 1, 20));
  EXPECT_EQ(comparison.moved_sites, 1u);
  EXPECT_EQ(count_contexts(comparison).equal, 2u);  // main, and the one that keeps the order
  EXPECT_EQ(count_contexts(comparison).only_old, 1u);
  EXPECT_EQ(count_contexts(comparison).only_new, 1u);
  for (const std::int32_t bci : comparison.both.sites.bci) EXPECT_LE(bci, 5);
}

TEST(MovedCode, HasTheNewNameOfAMethodThatCallsTheSame) {
  std::vector<MethodName> now = kMethods;
  now[1].name = "fetch";
  const Comparison comparison = laid_over(program(kMethods, kCalls), program(now, kCalls));
  EXPECT_EQ(renamed(comparison), Words{"p.Dao.find > p.Dao.fetch"});
  EXPECT_EQ(count_contexts(comparison).equal, 4u);
  const Comparison as_it_is = laid_over(program(kMethods, kCalls), program(now, kCalls), false);
  EXPECT_EQ(renamed(as_it_is), Words{});
  EXPECT_EQ(count_contexts(as_it_is).only_old, 2u);
}

TEST(MovedCode, HasTheNewNameOfALeafWithTheSameCallers) {
  std::vector<MethodName> now = kMethods;
  now[2].name = "load";
  EXPECT_EQ(renamed(laid_over(program(kMethods, kCalls), program(now, kCalls))),
            Words{"p.Dao.read > p.Dao.load"});
}

TEST(MovedCode, IsNotRenamedWhereTwoWouldFit) {
  std::vector<MethodName> now = kMethods;
  now[2].name = "load";
  now.push_back({"p.Dao", "scan"});
  std::vector<CallAt> calls = kCalls;
  calls.push_back({1, 4, 21, 11});
  EXPECT_EQ(renamed(laid_over(program(kMethods, kCalls), program(now, calls))), Words{});
}

TEST(MovedCode, IsNotRenamedWhereItCallsSomethingElse) {
  std::vector<MethodName> now = kMethods;
  now[1].name = "fetch";
  std::vector<CallAt> calls = kCalls;
  calls.push_back({1, 3, 21, 11});
  calls.erase(calls.begin() + 1);
  EXPECT_EQ(renamed(laid_over(program(kMethods, kCalls), program(now, calls))), Words{});
}

TEST(MovedCode, HasTheNewSignatureOfAMethod) {
  std::vector<MethodName> now = kMethods;
  now[1].descriptor = "(I)V";
  EXPECT_EQ(renamed(laid_over(program(kMethods, kCalls), program(now, kCalls))),
            Words{"p.Dao.find > p.Dao.find"});
}

TEST(MovedCode, HasTheNewNameOfAClassWithItsMethods) {
  std::vector<MethodName> now = kMethods;
  now[1].class_name = now[2].class_name = "q.Dao";
  EXPECT_EQ(renamed(laid_over(program(kMethods, kCalls), program(now, kCalls))),
            (Words{"p.Dao.find > q.Dao.find", "p.Dao.read > q.Dao.read"}));
  now[1].class_name = now[2].class_name = "p.Store";
  const Comparison other_name = laid_over(program(kMethods, kCalls), program(now, kCalls));
  EXPECT_EQ(count_contexts(other_name).equal, 4u);
}

TEST(MovedCode, DoesNotMakeAConstructorAMethod) {
  std::vector<MethodName> before = kMethods, now = kMethods;
  before[2].name = "<init>";
  EXPECT_EQ(renamed(laid_over(program(before, kCalls), program(now, kCalls))), Words{});
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

std::uint64_t unlike(const Comparison& comparison) {
  std::uint64_t contexts = 0;
  for (std::size_t node = 0; node < comparison.presence.size(); ++node) {
    contexts += comparison.in_old(node) == comparison.in_new(node) ? 0 : 1;
  }
  return contexts;
}

TEST(MovedCode, IsThatOfItsEvents) {
  const ReportModel before = throwing("", "m", {8, 12});
  EXPECT_EQ(unlike(laid_over(before, throwing("v2.", "m", {8, 12}))), 0u) << "class renamed";
  EXPECT_EQ(unlike(laid_over(before, throwing("", "find", {8, 12}))), 0u) << "method renamed";
  EXPECT_EQ(unlike(laid_over(before, throwing("", "m", {9, 13}))), 0u) << "lines moved";
  EXPECT_EQ(unlike(laid_over(before, throwing("v2.", "m", {9, 13}))), 0u);
  const Comparison more = laid_over(before, throwing("", "m", {9, 13, 20}));
  EXPECT_EQ(unlike(more), 5u) << "which of three are the two is not known";
  EXPECT_EQ(unlike(laid_over(before, throwing("", "m", {8, 12, 20}))), 1u);
  EXPECT_EQ(unlike(laid_over(before, throwing("", "m", {9, 13}), false)), 4u) << "as it is";
  const ReportModel lambda = throwing("", "lambda$f$3", {8});
  EXPECT_EQ(unlike(laid_over(lambda, throwing("", "lambda$f$4", {8}))), 0u);
  EXPECT_EQ(laid_over(before, throwing("v2.", "m", {8, 12})).renamed.size(), 3u)
      << "events are not listed";
}

}  // namespace
}  // namespace copse::diff
