// Parts of the demo program (report_samples.h), small enough to be told by heart:
//
//   ROOT > main 1 > work@12 1000 > log@21 2000
//                 > log@13 1 > main 3
//                 > work@10 2 > work@20 4
//        > log 7
#include <gtest/gtest.h>

#include <numeric>

#include "report/model/model_builder.h"
#include "report/model/model_check.h"
#include "report/part/cut.h"
#include "report/part/method_choice.h"
#include "report/text/text_formats.h"
#include "support/expect_fault.h"
#include "support/report_samples.h"
#include "support/small_report.h"

namespace copse::report {
namespace {

using testing::SmallReport;

// With waits of 10 ns in the first node that the sample adds, 20 in the second, and so on.
ReportModel demo() {
  testing::DemoProgram program = testing::demo_program();
  std::vector<std::uint64_t> waits;
  for (std::uint32_t node = 0; node < program.tree.node_count(); ++node) {
    waits.push_back(node * std::uint64_t{10});
  }
  program.tables.measures = {{"wait_ns", "ns", 7, waits}};
  return std::move(build_model(program.tree, std::move(program.tables))).value();
}

ReportModel part(const PartOptions& options, ReportModel model = demo()) {
  const Status status = cut(model, options);
  EXPECT_TRUE(status.ok()) << status.message();
  const Status sound = check_invariants(model);
  EXPECT_TRUE(sound.ok()) << sound.message();
  return model;
}

std::string collapsed(ReportModel model, const std::string& measure) {
  model.shown = measure;
  StringOutput out;
  write_collapsed(model, {.lines = true}, out);
  EXPECT_TRUE(out.finish().ok());
  return out.text();
}

Status refusal(const PartOptions& options) {
  ReportModel model = demo();
  return cut(model, options);
}

TEST(Focus, KeepsContextsThroughAMethodAndNothingOfTheirCallersOwn) {
  const ReportModel model = part({{"demo.Main.work"}, {}, {}});
  EXPECT_EQ(collapsed(model, "calls"),
            "demo.Main.main:10;demo.Main.work 2\n"
            "demo.Main.main:10;demo.Main.work:20;demo.Main.work 4\n"
            "demo.Main.main:12;demo.Main.work 1000\n"
            "demo.Main.main:12;demo.Main.work:21;demo.Log.log 2000\n");
  EXPECT_EQ(collapsed(model, "wait_ns"),
            "demo.Main.main:10;demo.Main.work 40\n"
            "demo.Main.main:10;demo.Main.work:20;demo.Main.work 50\n"
            "demo.Main.main:12;demo.Main.work 20\n"
            "demo.Main.main:12;demo.Main.work:21;demo.Log.log 60\n");
}

TEST(Focus, TakesTheMethodsOfAClass) {
  const ReportModel model = part({{"demo.L*"}, {}, {}});
  EXPECT_EQ(collapsed(model, "calls"),
            "demo.Log.log 7\n"
            "demo.Main.main:13;demo.Log.log 1\n"
            "demo.Main.main:13;demo.Log.log;demo.Main.main 3\n"
            "demo.Main.main:12;demo.Main.work:21;demo.Log.log 2000\n");
}

TEST(Root, LaysTheSubtreesOfAMethodOverEachOther) {
  const ReportModel model = part({{}, {"demo.Main.work"}, {}});
  EXPECT_EQ(collapsed(model, "calls"),
            "demo.Main.work 1002\n"
            "demo.Main.work:21;demo.Log.log 2000\n"
            "demo.Main.work:20;demo.Main.work 4\n");
  EXPECT_EQ(collapsed(model, "wait_ns"),
            "demo.Main.work 60\n"
            "demo.Main.work:21;demo.Log.log 60\n"
            "demo.Main.work:20;demo.Main.work 50\n");
}

TEST(Root, LeavesAMethodThatAnotherOneCalledBelowThatOne) {
  const ReportModel model = part({{}, {"demo.Main.main", "**.log"}, {}});
  EXPECT_EQ(collapsed(model, "calls"), collapsed(demo(), "calls"));
}

TEST(Root, OfWhatIsBelowAnotherMethodAloneComesAfterTheFocus) {
  const ReportModel model = part({{"demo.Main.work"}, {"demo.Log"}, {}});
  EXPECT_EQ(collapsed(model, "calls"), "demo.Log.log 2000\n");
}

TEST(Callers, HaveTheCallsOfAMethodByContextAndAllThatIsBelowOutermostOnes) {
  const ReportModel model = part({{}, {}, {"demo.Main.work"}});
  EXPECT_EQ(collapsed(model, "calls"),
            "demo.Main.main:10;demo.Main.work 2\n"
            "demo.Main.main:10;demo.Main.work:20;demo.Main.work 4\n"
            "demo.Main.main:12;demo.Main.work 1000\n");
  EXPECT_EQ(collapsed(model, "wait_ns"),
            "demo.Main.main:10;demo.Main.work 90\n"
            "demo.Main.main:12;demo.Main.work 80\n");
}

TEST(Callers, InFocusAreThoseOfContextsThroughIt) {
  const ReportModel model = part({{"demo.Main.work"}, {}, {"demo.Log"}});
  EXPECT_EQ(collapsed(model, "calls"), "demo.Main.main:12;demo.Main.work:21;demo.Log.log 2000\n");
}

TEST(Callers, AreNotAskedForWithARoot) {
  EXPECT_TRUE(check_part({{"a"}, {"b"}, {}}).ok());
  EXPECT_TRUE(check_part({{"a"}, {}, {"c"}}).ok());
  EXPECT_FAULT(check_part({{}, {"b"}, {"c"}}), kUsage, "--callers", "--root");
}

TEST(Hide, GivesWhatFramesHaveToTheirCallersButTheirCalls) {
  const ReportModel model = part({{}, {}, {}, {}, {"demo.Main.work"}});
  EXPECT_EQ(collapsed(model, "calls"),
            "demo.Log.log 7\n"
            "demo.Main.main 1\n"
            "demo.Main.main;demo.Log.log 2000\n"
            "demo.Main.main:13;demo.Log.log 1\n"
            "demo.Main.main:13;demo.Log.log;demo.Main.main 3\n");
  const auto waits = [](const ReportModel& report) {
    const NumberColumn& values = report.find_measure("wait_ns")->values;
    return std::accumulate(values.begin(), values.end(), std::uint64_t{0});
  };
  EXPECT_EQ(waits(model), waits(demo()));
}

TEST(Hide, LeavesTheFirstFrameOfAThread) {
  const ReportModel model = part({{}, {}, {}, {}, {"demo.**"}});
  EXPECT_EQ(collapsed(model, "calls"), "demo.Log.log 7\ndemo.Main.main 1\n");
}

template <typename Options>
std::string upside_down(void (*write)(const ReportModel&, const Options&, Output&),
                        const ReportModel& model, const std::string& measure, Options options) {
  ReportModel shown = model;
  shown.shown = measure;
  StringOutput out;
  write(shown, options, out);
  EXPECT_TRUE(out.finish().ok());
  return out.text();
}

// work calls itself: those 4 calls cost what the calls of main do already.
TEST(Callers, OfARecursionAreCountedAndItsCostIsThatOfTheOutermostCalls) {
  const ReportModel model = part({{}, {}, {"demo.Main.work"}});
  EXPECT_EQ(upside_down(write_callers_tree, model, "wait_ns", TreeOptions{0}),
            "calls incl. wait ms         incl. ns/call  context (@N: calls the frame above at line "
            "N)\n"
            "1,006         0.000 100.0 %          0.17  demo.Main.work\n"
            "    2         0.000  52.9 %          45.0    demo.Main.main  @10\n"
            "1,000         0.000  47.1 %          0.08    demo.Main.main  @12\n"
            "    4             0   0.0 %                  demo.Main.work  @20\n"
            "    4             0   0.0 %                    demo.Main.main  @10\n"
            "\nincl.: inclusive; incl. ns/call: per call that is not below another one\n");
}

TEST(Callers, InATreeByCallsHaveCallsAlone) {
  const ReportModel model = part({{}, {}, {"demo.Log.log"}});
  EXPECT_EQ(upside_down(write_callers_tree, model, "calls", TreeOptions{}),
            "calls          context (@N: calls the frame above at line N)\n"
            "2,008 100.0 %  demo.Log.log\n"
            "2,000  99.6 %    demo.Main.work  @21\n"
            "2,000  99.6 %      demo.Main.main  @12\n"
            "    8   0.4 %    ... 2 more below 0.5 %\n");
  EXPECT_EQ(upside_down(write_callers_tree, model, "calls", TreeOptions{0, 2}),
            "calls          context (@N: calls the frame above at line N)\n"
            "2,008 100.0 %  demo.Log.log\n"
            "2,000  99.6 %    demo.Main.work  @21\n"
            "2,000  99.6 %      ... 1 more deeper than 2 levels\n"
            "    7   0.3 %    (no recorded caller)\n"
            "    1  <0.1 %    demo.Main.main  @13\n");
}

TEST(Callers, InCollapsedStacksStandBehindTheirCallees) {
  const ReportModel model = part({{}, {}, {"demo.Log.log"}});
  CollapsedOptions options;
  options.callers = options.lines = true;
  EXPECT_EQ(upside_down(write_collapsed, model, "calls", options),
            "demo.Log.log 7\n"
            "demo.Log.log;demo.Main.main:13 1\n"
            "demo.Log.log;demo.Main.work:21;demo.Main.main:12 2000\n");
  options.depth = 2;
  EXPECT_EQ(upside_down(write_collapsed, model, "calls", options),
            "demo.Log.log 7\n"
            "demo.Log.log;demo.Main.main:13 1\n"
            "demo.Log.log;demo.Main.work:21 2000\n");
}

TEST(Part, HasOnlyTheMethodsAndSitesThatOccurInIt) {
  const ReportModel model = part({{}, {"demo.Main.work"}, {}});
  EXPECT_EQ(model.methods.name, (std::vector<std::string>{"log", "work"}));
  EXPECT_EQ(model.sites.line, (std::vector<std::int32_t>{20, 21}));
  EXPECT_EQ(model.totals.contexts, 3u);
  EXPECT_EQ(model.totals.max_depth, 2u);
}

TEST(Part, AddsUpAndSaysWhatItIsAPartOf) {
  const ReportModel model = part({{"demo.Main.work"}, {}, {}});
  EXPECT_EQ(model.totals.calls, 3006u);
  EXPECT_EQ(model.totals.calls_lost, 2u);
  EXPECT_EQ(model.totals.calls_seen, 3008u);
  EXPECT_EQ(
      model.notes.front(),
      "Contexts through methods that match demo.Main.work (--focus), without what their "
      "callers did besides. This is a part of the report: calls: 3,006 of 3,018 (99.6 %); "
      "wait time: 170 ns of 360 ns (47.2 %). What was lost is all that the run lost; where it "
      "belongs is not known. Threads are those of the whole run.");
}

TEST(Part, KnowsOfThreadsOnlyThatTheyWereThere) {
  for (const ReportModel::Thread& thread : part({{"demo.Log"}, {}, {}}).threads) {
    EXPECT_EQ(thread.calls, 0u);
    EXPECT_EQ(thread.node, -1);
  }
}

// main calls evicted contexts, and work, which calls evicted ones too.
TEST(Part, SaysWhatEvictedContextsMayHide) {
  testing::ListedTree tree;
  ProgramTables tables = testing::demo_program().tables;
  tables.methods.push_back({kEvictedClass, kEvictedName, "", "", "", {}});
  const NodeIndex main = tree.add(kRootNode, 0, 1, 1);
  tree.add(tree.add(main, 1, 2, 10), 0, 4, 30);
  tree.add(main, 0, 4, 5);
  tables.calls_seen = 46;
  tables.calls_lost = 0;
  ReportModel whole = std::move(build_model(tree, std::move(tables))).value();
  whole.totals.evicted_calls = 35;
  whole.totals.evicted_contexts = 9;
  ASSERT_TRUE(check_invariants(whole).ok());
  for (const PartOptions& options :
       {PartOptions{{"demo.Main.work"}, {}, {}}, PartOptions{{}, {"demo.Main.work"}, {}}}) {
    const ReportModel model = part(options, whole);
    EXPECT_EQ(model.totals.evicted_calls, 30u);
    EXPECT_EQ(model.totals.evicted_contexts, 9u);
    EXPECT_NE(model.notes.front().find(
                  "Some of the 5 calls of evicted contexts outside it may belong to it. How many "
                  "contexts were evicted is known of the whole report alone."),
              std::string::npos)
        << model.notes.front();
  }
}

TEST(Subtract, LeavesOutAMethodAndWhatItCalls) {
  PartOptions options;
  options.subtract = {"demo.Main.work"};
  EXPECT_EQ(collapsed(part(options), "calls"),
            "demo.Log.log 7\n"
            "demo.Main.main 1\n"
            "demo.Main.main:13;demo.Log.log 1\n"
            "demo.Main.main:13;demo.Log.log;demo.Main.main 3\n");
}

TEST(Subtract, LeavesOutOneContextById) {
  PartOptions options;
  options.subtract = {"@3f", "demo.Log.log"};
  options.find_context = [](const ReportModel& model, const std::string& digits) {
    EXPECT_EQ(digits, "3f");
    std::vector<std::int32_t> rows;  // the outer work with 2 calls
    for (std::size_t row = 1; row < model.nodes.calls.size(); ++row) {
      if (model.nodes.calls[row] == 2) rows.push_back(static_cast<std::int32_t>(row));
    }
    return Result<std::vector<std::int32_t>>(rows);
  };
  const ReportModel model = part(options);
  EXPECT_EQ(collapsed(model, "calls"),
            "demo.Main.main 1\n"
            "demo.Main.main:12;demo.Main.work 1000\n");
  EXPECT_EQ(model.notes.front().find("Without methods that match demo.Log.log or the context @3f "
                                     "(--subtract) and what they call."),
            0u)
      << model.notes.front();
}

TEST(Fold, MakesMethodsThatCallEachOtherOneFrame) {
  PartOptions options;
  options.fold = {"demo.Main"};
  EXPECT_EQ(collapsed(part(options), "calls"),
            "demo.Log.log 7\n"
            "demo.Main 1007\n"
            "demo.Main;demo.Log.log 2001\n"
            "demo.Main;demo.Log.log;demo.Main 3\n");
  options.root = {"demo.Main"};
  EXPECT_EQ(collapsed(part(options), "calls"),
            "demo.Main 1007\n"
            "demo.Main;demo.Log.log 2001\n"
            "demo.Main;demo.Log.log;demo.Main 3\n")
      << "the frame is named like what it is of";
}

TEST(Part, NeedsGlobsThatMatchSomething) {
  EXPECT_FAULT(refusal({{"wrk"}, {}, {}}), kNotFound, "--focus wrk: ");
  EXPECT_FAULT(refusal({{"Mian.work"}, {}, {}}), kNotFound,
               "--focus Mian.work: ", "--focus Main.work?");
  EXPECT_FAULT(refusal({{}, {"demo.Main.wrok"}, {}}), kNotFound,
               "--root demo.Main.wrok: ", "--root demo.Main.work?");
  EXPECT_FAULT(refusal({{"demo.Main", "demo.main"}, {}, {}}), kNotFound,
               "--focus demo.main: ", "--focus demo.Main?");
  EXPECT_TRUE(refusal({{"demo.Main.main", "demo.Main"}, {}, {}}).ok()) << "both are in use";
  EXPECT_TRUE(refusal({{"demo.Main.work"}, {"demo.Main.main"}, {}}).ok());
  EXPECT_FAULT(refusal({{}, {"net.elsewhere.**"}, {}}), kNotFound, "--root 'net.elsewhere.**': ");
}

ReportModel demo_of_threads(const std::vector<std::string>& threads) {
  SmallReport report;
  for (const std::string& name : threads) {
    const std::int32_t thread = report.method("", "[" + name + "]", "", "");
    report.node(report.node(0, thread, -1, 0, 0), report.method("a.A", "run" + name));
  }
  return std::move(report.model);
}

Status thread_refusal(ReportModel model, const std::string& glob) {
  PartOptions options;
  options.threads = {glob};
  return cut(model, options);
}

TEST(Thread, ThatMatchesNothingGetsWhatWasMeant) {
  const std::vector<std::string> names = {"http-*", "main", "pool-*-thread-*"};
  EXPECT_FAULT(thread_refusal(demo(), "http-*"), kNotFound, "--thread 'http-*': ", "--by-thread");
  EXPECT_FAULT(thread_refusal(demo_of_threads(names), "http-1"), kNotFound, "--thread 'http-*'?");
  EXPECT_FAULT(thread_refusal(demo_of_threads(names), "mian"), kNotFound, "--thread main?");
  EXPECT_FAULT(thread_refusal(demo_of_threads(names), "absent"), kNotFound,
               "--thread absent: ", "http-*, main, pool-*-thread-*");
  EXPECT_FAULT(
      thread_refusal(demo_of_threads({"a1", "b2", "c3", "d4", "e5", "f6", "g7"}), "absent"),
      kNotFound, "a1, b2, c3, d4, e5 and 2 more");
}

TEST(Thread, ThatWasMeantIsFound) {
  const std::vector<std::string> names = {"http-*", "main", "pool-*-thread-*"};
  for (const char* glob : {"http-*", "main", "pool-*-thread-*", "m*"}) {
    EXPECT_TRUE(thread_refusal(demo_of_threads(names), glob).ok());
  }
}

}  // namespace
TEST(Thread, ThatIsChosenIsAloneInTheListOfThreadsWithItsAmounts) {
  ReportModel model = demo_of_threads({"http-*-poller", "main", "pool-*"});
  model.measures.push_back({"parked_ns", "ns", 0, std::vector<std::uint64_t>(7), {1, 2, 4, 8}});
  model.threads = {{1, "main", 3, 1},
                   {2, "pool-1", 5, 1},
                   {3, "http-8080-poller", 1, 1},
                   {4, "pool-2", 5, 1, 3}};
  model.totals.threads = 6;
  PartOptions options;
  options.threads = {"pool-*"};
  ASSERT_TRUE(cut(model, options).ok());
  ASSERT_EQ(model.threads.size(), 2u);
  EXPECT_EQ(model.threads[0].name, "pool-1");
  EXPECT_EQ(model.threads[1].name, "pool-2");
  EXPECT_EQ(model.totals.threads, 4u);
  EXPECT_EQ(model.measures[0].of_threads, (std::vector<std::uint64_t>{2, 8}));
  EXPECT_EQ(model.notes.front().find("whole run"), std::string::npos) << model.notes.front();
}

}  // namespace copse::report
