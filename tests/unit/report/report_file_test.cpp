#include "report/report_file.h"

#include <gtest/gtest.h>

#include "report/exports/html_writer.h"
#include "report/model/model_builder.h"
#include "support/expect_fault.h"
#include "support/report_samples.h"

namespace copse::report {
namespace {

TEST(ReportFile, ItsEndingDecidesAndAnyOtherIsJson) {
  EXPECT_EQ(format_of_file("a.html"), ReportFormat::kHtml);
  EXPECT_EQ(format_of_file("a.htm"), ReportFormat::kHtml);
  EXPECT_EQ(format_of_file("a.folded"), ReportFormat::kCollapsed);
  EXPECT_EQ(format_of_file("a.collapsed"), ReportFormat::kCollapsed);
  EXPECT_EQ(format_of_file("a.tree"), ReportFormat::kTree);
  EXPECT_EQ(format_of_file("a.txt"), ReportFormat::kSummary);
  EXPECT_EQ(format_of_file("a.pb.gz"), ReportFormat::kPprof);
  EXPECT_EQ(format_of_file("a.pprof"), ReportFormat::kPprof);
  EXPECT_EQ(format_of_file("a.speedscope.json"), ReportFormat::kSpeedscope);
  EXPECT_EQ(format_of_file("a.callgrind"), ReportFormat::kCallgrind);
  EXPECT_EQ(format_of_file("b/callgrind.out.12"), ReportFormat::kCallgrind);
  EXPECT_EQ(format_of_file("a.csv"), ReportFormat::kRows);
  for (const char* path : {"a.json", "callgrind.out.json", "callgrind.out/a", "a.gz", "a", "a.out",
                           "a.html/b", ".html.x", "", "a.HTML"}) {
    EXPECT_EQ(format_of_file(path), ReportFormat::kJson) << path;
  }
}

TEST(ReportFile, AnUnknownEndingIsRefusedAndNoEndingIsJson) {
  for (const char* path : {"a.svg", "a.json.bak", "b.c/a.HTML", "/tmp/x.tar.xz"}) {
    EXPECT_FAULT(check_report_ending(path), kUsage, path, ".html, ", " or .csv");
  }
  for (const char* path : {"a", "a.json", "callgrind.out.before", "/dev/stdout", "a.%p", "a-%c.%t",
                           "a.4711", "v1.2/a", ".hidden", "a.", "a.2024-01-02"}) {
    EXPECT_TRUE(check_report_ending(path).ok()) << path;
  }
}

TEST(ReportFile, APageIsRefusedBeforehandWhereThereIsNoViewer) {
  EXPECT_EQ(check_report_ending("a.html").ok(), !viewer_page().empty());
  EXPECT_TRUE(check_report_ending("a.tree").ok());
  EXPECT_TRUE(check_report_ending("a").ok());
}

TEST(ReportFile, ADatabaseIsMadeOfAReportAndNeverRecorded) {
  for (const char* path : {"a.sqlite", "a.db"}) {
    EXPECT_EQ(format_of_file(path), ReportFormat::kSqlite);
    EXPECT_FAULT(check_report_ending(path), kUsage, path, ".json");
  }
  StringOutput out;
  EXPECT_FALSE(write_report(ReportModel(), ReportFormat::kSqlite, {}, out).ok());
}

TEST(ReportFile, WhatIsNoReportDoesNotTakeTheEndingOfOne) {
  EXPECT_FAULT(check_other_ending("x.json", "a trace", ".trace"), kUsage, "x.json", "a trace",
               ".trace");
  EXPECT_TRUE(check_other_ending("x.trace", "a trace", ".trace").ok());
  EXPECT_TRUE(check_other_ending("x", "a trace", ".trace").ok());
  EXPECT_TRUE(check_other_ending("x.json", "a graph", ".json", {ReportFormat::kJson}).ok());
  EXPECT_FALSE(check_other_ending("x.htm", "a graph", ".json", {ReportFormat::kJson}).ok());
}

TEST(ReportFile, HasAsManyContextsAsWereAskedForAndTheModelIsThenThatOfTheFile) {
  testing::DemoProgram program = testing::demo_program();
  Result<ReportModel> model = build_model(program.tree, std::move(program.tables));
  ASSERT_TRUE(model.ok()) << model.message();
  const std::uint64_t calls = model->totals.calls;
  StringOutput all;
  EXPECT_TRUE(put_report(*model, "a.collapsed", {}, all).ok());
  EXPECT_TRUE(all.finish().ok());
  EXPECT_EQ(model->totals.contexts, 8u);
  StringOutput few;
  EXPECT_TRUE(put_report(*model, "a.collapsed", 3, few).ok());
  EXPECT_TRUE(few.finish().ok());
  EXPECT_EQ(model->totals.contexts, 3u);
  EXPECT_EQ(model->totals.calls, calls);
  EXPECT_EQ(all.text().find("(evicted)"), std::string::npos);
  EXPECT_NE(few.text().find("(evicted)"), std::string::npos);
}

TEST(ReportFile, APageHasNoMoreContextsThanABrowserDrawsUnlessAskedFor) {
  EXPECT_EQ(most_contexts(ReportFormat::kHtml, {}), kMostContextsOfPage);
  EXPECT_EQ(most_contexts(ReportFormat::kHtml, kMostContextsOfPage + 1), kMostContextsOfPage + 1);
  EXPECT_EQ(most_contexts(ReportFormat::kJson, {}), ~std::uint64_t{0});
  EXPECT_EQ(most_contexts(ReportFormat::kJson, 2), 2u);
}

}  // namespace
}  // namespace copse::report
