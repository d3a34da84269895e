#include "report/text/context_lines.h"

#include <gtest/gtest.h>

#include "report/model/model_builder.h"
#include "support/report_samples.h"
#include "support/small_report.h"

namespace copse::report {
namespace {

// A tree given as chains of "Class.method:line" (the line of the call to the next one), outermost
// first. Methods are in a package unless their class names one.
class Program {
 public:
  // The row of the chain's innermost frame, once built.
  NodeIndex chain(const std::vector<std::string>& frames) {
    NodeIndex node = kRootNode;
    MethodId caller = kNoMethod;
    int line = -1;
    for (const std::string& frame : frames) {
      const std::size_t colon = frame.find(':');
      const MethodId method = method_named(frame.substr(0, colon));
      const SiteOrdinal site = line < 0 ? kNoSite : site_at(caller, line);
      node = child(node, context_key(site, method));
      line = colon == std::string::npos ? -1 : std::stoi(frame.substr(colon + 1));
      caller = method;
    }
    return node;
  }

  // One line each, in order of the chains.
  std::vector<std::string> lines(const std::vector<NodeIndex>& nodes, std::size_t width = 100) {
    for (std::size_t i = 0; i < nodes.size(); ++i) values_[raw(nodes[i])] = 1000 - i;
    values_.resize(tree_.node_count());
    tables_.measures = {{"order", "events", 0, values_}};
    const ReportModel model = std::move(build_model(tree_, tables_)).value();
    std::vector<std::int32_t> rows(nodes.size());
    for (std::size_t row = 0; row < model.measures[0].values.size(); ++row) {
      const std::uint64_t value = model.measures[0].values[row];
      if (value != 0) rows[1000 - value] = static_cast<std::int32_t>(row);
    }
    const DisplayNames names(model.methods);
    const ContextLines contexts(model, names, rows);
    std::vector<std::string> lines;
    for (std::size_t i = 0; i < rows.size(); ++i) lines.push_back(contexts.text(i, width));
    common_ = contexts.common(width);
    return lines;
  }
  // Common part of the lines asked for last.
  const std::string& common() const { return common_; }

 private:
  NodeIndex child(NodeIndex parent, ContextKey key) {
    for (std::uint32_t node = 1; node < tree_.node_count(); ++node) {
      const cct::ContextNode known = tree_.node(NodeIndex{node});
      if (known.parent == parent && known.key == key) return NodeIndex{node};
    }
    values_.resize(tree_.node_count() + 1);
    return tree_.add(parent, raw(site_of(key)), raw(method_of(key)), 1);
  }
  MethodId method_named(const std::string& name) {
    const std::size_t parenthesis = name.find('(');
    const std::string plain = name.substr(0, parenthesis);
    const std::size_t dot = plain.rfind('.');
    const std::string type = plain.substr(0, dot);
    MethodName wanted{type.find('.') == std::string::npos ? "pkg." + type : type,
                      plain.substr(dot + 1),
                      parenthesis == std::string::npos ? "()V" : name.substr(parenthesis) + "V",
                      "A.java",
                      "app",
                      {}};
    for (std::size_t id = 1; id < tables_.methods.size(); ++id) {
      const MethodName& known = tables_.methods[id];
      if (known.class_name == wanted.class_name && known.name == wanted.name &&
          known.descriptor == wanted.descriptor) {
        return MethodId{static_cast<std::uint32_t>(id)};
      }
    }
    tables_.methods.push_back(wanted);
    return MethodId{static_cast<std::uint32_t>(tables_.methods.size() - 1)};
  }
  SiteOrdinal site_at(MethodId caller, int line) {
    std::vector<SiteName>& sites = tables_.methods[raw(caller)].sites;
    for (std::size_t i = 0; i < sites.size(); ++i) {
      if (sites[i].line == line) return SiteOrdinal{static_cast<std::uint16_t>(i + 1)};
    }
    sites.push_back({line, line});
    return SiteOrdinal{static_cast<std::uint16_t>(sites.size())};
  }

  testing::ListedTree tree_;
  ProgramTables tables_ = [] {
    ProgramTables tables;
    tables.methods.resize(1);
    return tables;
  }();
  NumberColumn values_ = {0};
  std::string common_;
};

using Lines = std::vector<std::string>;

TEST(ContextLines, AreWholeWhereThereIsRoom) {
  Program program;
  EXPECT_EQ(program.lines({program.chain({"Main.main:12", "Main.work:21", "Log.log"})}),
            (Lines{"Log.log <- Main.work:21 <- Main.main:12"}));
}

TEST(ContextLines, NameAConstructorWithItsClassHoweverScarceRoomIs) {
  Program program;
  const NodeIndex context =
      program.chain({"Main.main:12", "VeryLongNameOfAClass.veryLongNameOfAMethod:21",
                     "Entry.<init>:7", "Entries.<clinit>"});
  for (const std::size_t width : {30, 40, 60}) {
    const std::string line = program.lines({context}, width)[0];
    EXPECT_TRUE(line.starts_with("Entries.<clinit>")) << line;
    EXPECT_EQ(line.find(" <init>"), std::string::npos) << line;
  }
}

TEST(ContextLines, KeepTheFramesAtWhichTheyPartAndTheCallerWhereRoomIsScarce) {
  Program program;
  const auto chain = [&](const char* caller) {
    return program.chain(
        {"Main.main:1", caller, "A.first:3", "A.second:4", "A.third:5", "A.fourth:6", "Log.log"});
  };
  const NodeIndex read = chain("Main.readAll:7");
  const NodeIndex write = chain("Main.writeAll:8");
  EXPECT_EQ(program.lines({read, write}, 60),
            (Lines{"Log.log <- A.fourth:6 <- ... <- Main.readAll:7 <- ...",
                   "Log.log <- A.fourth:6 <- ... <- Main.writeAll:8 <- ..."}));
  EXPECT_EQ(program.common(), "Main.main:1");
  EXPECT_EQ(program.lines({read, write}, 45), (Lines{"Log.log <- ... <- Main.readAll:7 <- ...",
                                                     "Log.log <- ... <- Main.writeAll:8 <- ..."}));
}

TEST(ContextLines, KeepTheEntryWhereItIsNotTheSameForAll) {
  Program program;
  const auto chain = [&](const char* entry) {
    return program.chain({entry, "A.first:3", "A.second:4", "A.third:5", "Log.log"});
  };
  EXPECT_EQ(program.lines({chain("Main.main:1"), chain("Worker.run:2")}, 42),
            (Lines{"Log.log <- A.third:5 <- ... <- Main.main:1",
                   "Log.log <- third:5 <- ... <- Worker.run:2"}));
  EXPECT_EQ(program.common(), "");
}

TEST(ContextLines, SayOnceWhatAllHaveInCommon) {
  Program program;
  Lines frames = {"Main.main:1"};
  for (int i = 0; i < 6; ++i) frames.push_back("A.step" + std::to_string(i) + ":3");
  const auto chain = [&](const char* callee) {
    Lines all = frames;
    all.push_back(callee);
    return program.chain(all);
  };
  EXPECT_EQ(
      program.lines({chain("B.one"), chain("B.two")}, 43),
      (Lines{"B.one <- A.step5:3 <- A.step4:3 <- ...", "B.two <- A.step5:3 <- A.step4:3 <- ..."}));
  EXPECT_EQ(program.common(), "A.step5:3 <- step4:3 <- ... <- Main.main:1");
}

TEST(ContextLines, TellContextsApartThatDifferInTheLineOfACallOnly) {
  Program program;
  EXPECT_EQ(program.lines({program.chain({"Main.main:1", "Main.work"}),
                           program.chain({"Main.main:2", "Main.work"})}),
            (Lines{"Main.work <- Main.main:1", "Main.work <- Main.main:2"}));
}

TEST(ContextLines, KeepFirstOfAllWhereTheyPartFromTheOneTheyAreMostLike) {
  Program program;
  const std::vector<NodeIndex> rows = {
      program.chain(
          {"Main.main:1", "Ledger.compare:30", "Invoice.total:20", "Find.find:17", "Customer.is"}),
      program.chain(
          {"Main.main:1", "Ledger.compare:31", "Invoice.total:20", "Find.find:17", "Customer.is"}),
      program.chain({"Main.main:1", "Ledger.book:18", "Find.find:17", "Customer.is"})};
  EXPECT_EQ(program.lines(rows, 46),
            (std::vector<std::string>{"Customer.is <- ... <- Ledger.compare:30 <- ...",
                                      "Customer.is <- ... <- Ledger.compare:31 <- ...",
                                      "is <- find:17 <- Ledger.book:18 <- Main.main:1"}));
  EXPECT_EQ(program.lines(rows, 31), (std::vector<std::string>{"is <- ... <- compare:30 <- ...",
                                                               "is <- ... <- compare:31 <- ...",
                                                               "is <- find:17 <- book:18 <- ..."}));
}

TEST(ContextLines, CountWhatRepeats) {
  Program program;
  Lines deep(13, "A.f:7");
  deep.insert(deep.begin(), "Main.main:1");
  deep.push_back("Log.log");
  Lines in_turn = {"Main.main:1"};
  for (int i = 0; i < 1200; ++i) in_turn.insert(in_turn.end(), {"V.visit:3", "V.accept:4"});
  in_turn.push_back("Log.log");
  EXPECT_EQ(program.lines({program.chain(deep), program.chain(in_turn)}),
            (Lines{"Log.log <- A.f:7 (x13) <- Main.main:1",
                   "Log.log <- [V.accept:4 <- V.visit:3] (x1,200) <- Main.main:1"}));
}

TEST(ContextLines, TellTheDepthOfRecursionApart) {
  Program program;
  const auto at_depth = [&](std::size_t depth) {
    Lines frames(depth, "A.f:7");
    frames.insert(frames.begin(), "Main.main:1");
    frames.push_back("A.f");
    return program.chain(frames);
  };
  EXPECT_EQ(program.lines({at_depth(3), at_depth(4), at_depth(1)}),
            (Lines{"A.f <- A.f:7 (x3) <- Main.main:1", "A.f <- A.f:7 (x4) <- Main.main:1",
                   "A.f <- A.f:7 <- Main.main:1"}));
}

TEST(ContextLines, NameMethodsAsShortlyAsTheyDiffer) {
  Program program;
  EXPECT_EQ(program.lines({program.chain({"Main.main:1", "Log.log(I)"}),
                           program.chain({"Main.main:2", "Log.log(J)"}),
                           program.chain({"Main.main:3", "other.Log.flush"}),
                           program.chain({"Main.main:4", "pkg.Log.flush"})}),
            (Lines{"Log.log(int) <- Main.main:1", "Log.log(long) <- Main.main:2",
                   "other.Log.flush <- Main.main:3", "pkg.Log.flush <- Main.main:4"}));
}

TEST(ContextLines, StayWithinTheirWidth) {
  Program program;
  const NodeIndex node = program.chain({"Main.main:1", "A.veryLongNameOfAMethodThatHasNoRoom"});
  EXPECT_EQ(program.lines({node}, 22), (Lines{"...hatHasNoRoom <- ..."}));
  EXPECT_EQ(program.lines({node}, 41), (Lines{"veryLongNameOfAMethodThatHasNoRoom <- ..."}));
  for (std::size_t width = 4; width < 60; ++width) {
    EXPECT_LE(program.lines({node}, width)[0].size(), width);
  }
}

// Two exceptions of one place on different paths of long names.
struct Thrown {
  testing::SmallReport report;
  std::int32_t first = 0, second = 0;

  Thrown() {
    const std::int32_t main = report.node(0, report.method("demo.Main", "main"));
    const std::int32_t inner = report.method("demo.Grammar", "inner");
    const std::int32_t match = report.method("demo.Parser", "match");
    const std::int32_t thrown =
        report.method("", "throw demo.MismatchedException at demo.Parser.match:21", "", "");
    const auto path = [&](const char* caller) {
      const std::int32_t statement = report.node(main, report.method("demo.Grammar", caller), 3);
      const std::int32_t caller_of_match = report.node(statement, inner, 4);
      return report.node(report.node(caller_of_match, match, 5), thrown);
    };
    first = path("statementOfOneKind");
    second = path("statementOfAnother");
  }
};

TEST(ContextLines, OfEventsKeepTheFramesAtWhichTheyPart) {
  const Thrown thrown;
  const DisplayNames names(thrown.report.model.methods);
  const ContextLines contexts(thrown.report.model, names, {thrown.first, thrown.second});
  EXPECT_EQ(contexts.text(0, 110),
            "throw MismatchedException at Parser.match:21 <- Parser.match <- inner:5 <- "
            "Grammar.statementOfOneKind:4 <- ...");
  EXPECT_EQ(contexts.text(0, 80),
            "throw MismatchedException at :21 <- match <- ... <- statementOfOneKind:4 <- ...");
  EXPECT_EQ(contexts.text(1, 80),
            "throw MismatchedException at :21 <- match <- ... <- statementOfAnother:4 <- ...");
  EXPECT_NE(contexts.text(0, 60), contexts.text(1, 60));
  for (std::size_t width = 8; width < 120; ++width) {
    EXPECT_LE(contexts.text(0, width).size(), width);
  }
}

TEST(ContextLines, TakeASecondLineRatherThanReadAlike) {
  const Thrown thrown;
  const DisplayNames names(thrown.report.model.methods);
  const ContextLines contexts(thrown.report.model, names, {thrown.first, thrown.second});
  EXPECT_EQ(contexts.lines(0, 56), (Lines{"throw MismatchedException at :21 <- Parser.match <- ...",
                                          "  <- Grammar.statementOfOneKind:4 <- ..."}));
  EXPECT_EQ(contexts.lines(1, 80), (Lines{"throw MismatchedException at :21 <- match <- ... <- "
                                          "statementOfAnother:4 <- ..."}));
  for (std::size_t width = 42; width < 120; ++width) {
    const Lines first = contexts.lines(0, width), second = contexts.lines(1, width);
    EXPECT_NE(first, second) << width;
    EXPECT_TRUE(first[0].starts_with("throw MismatchedException at ")) << first[0];
    for (const std::string& line : first) EXPECT_LE(line.size(), width);
  }
  EXPECT_EQ(contexts.lines(0, 20).size(), 1U) << "no use in a second line";
  EXPECT_EQ(contexts.row("12  ", 0, 60),
            (Lines{"12  throw MismatchedException at :21 <- Parser.match <- ...",
                   "      <- Grammar.statementOfOneKind:4 <- ..."}))
      << "beside the columns of a table";
}

TEST(ContextLines, OfTheJdkShowWhoCallsIt) {
  testing::SmallReport report;
  const std::int32_t main = report.node(0, report.method("demo.Main", "main"));
  const std::int32_t work = report.node(main, report.method("demo.Worker", "work"), 7);
  const std::int32_t take =
      report.node(work, report.method("java.util.Queue", "take", "()V", "boot"), 8);
  const std::int32_t wait =
      report.node(take, report.method("java.util.Queue", "await", "()V", "boot"), 9);
  const std::int32_t park = report.node(
      wait, report.method("", "park java.util.AbstractQueuedSynchronizer$ConditionObject", "", ""));
  const DisplayNames names(report.model.methods);
  const ContextLines contexts(report.model, names, {park});
  EXPECT_EQ(contexts.text(0, 80),
            "park AbstractQueuedSynchronizer$ConditionObject <- ... <- Worker.work:8 <- ...");
  EXPECT_EQ(contexts.text(0, 60), "park ConditionObject <- await <- ... <- Worker.work:8 <- ...");
}

// A later frame that both have does not tell them apart.
TEST(ContextLines, ShowWhereTheyPartIfTheyMeetAgain) {
  Program program;
  const auto chain = [&](const char* outer, const char* middle) {
    return program.chain({outer, "A.shared:3", middle, "A.fourth:6", "Log.log"});
  };
  const Lines lines = program.lines(
      {chain("Main.main:1", "B.readEverything:5"), chain("Main.main:1", "B.writeEverything:5"),
       chain("Main.other:1", "B.readEverything:5")},
      58);
  EXPECT_NE(lines[0], lines[1]);
  EXPECT_NE(lines[0], lines[2]);
  EXPECT_NE(lines[1], lines[2]);
}

// Deep chains are made without recursion too.
TEST(ContextLines, AreMadeOfChainsOfAnyDepth) {
  Program program;
  Lines frames;
  for (int i = 0; i < 3000; ++i) {
    frames.push_back("A.m" + std::to_string(i % 11) + ":" + std::to_string(i));
  }
  const std::string line = program.lines({program.chain(frames)}, 63)[0];
  EXPECT_EQ(line, "A.m7 <- A.m6:2998 <- A.m5:2997 <- A.m4:2996 <- ... <- A.m0:0");
}

}  // namespace
}  // namespace copse::report
