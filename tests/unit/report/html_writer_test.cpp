#include "report/exports/html_writer.h"

#include <gtest/gtest.h>

#include "report/model/json_reader.h"
#include "support/expect_fault.h"
#include "support/report_samples.h"

namespace copse::report {
namespace {

TEST(HtmlWriter, PutsTheReportWhereThePageWantsIt) {
  ReportModel model = testing::demo_model();
  model.methods.class_name[0] = "</script><script>";
  StringOutput out;
  ASSERT_TRUE(write_html(model, "<a>@COPSE_REPORT@</a>", out).ok());
  ASSERT_TRUE(out.finish().ok());
  const std::string& page = out.text();
  EXPECT_EQ(page.substr(0, 3), "<a>");
  EXPECT_EQ(page.substr(page.size() - 4), "</a>");
  const std::string json = page.substr(3, page.size() - 7);
  EXPECT_EQ(json.find('<'), std::string::npos);
  EXPECT_EQ(read_json(json, "page")->methods.class_name[0], "</script><script>");
}

TEST(HtmlWriter, GivesThePageWhatAComparisonHasOfTheOldReport) {
  ReportModel model = testing::demo_model();
  ReportModel::Compared compared;
  compared.old_name = "a.json";
  compared.new_name = "b.json";
  compared.id_rules = "copse.context/1 sites=bci names=exact";
  compared.renamed = {{"demo.Dao.find", "demo.Dao.<query>"}};
  compared.only_new = {"cpu_ns"};
  compared.old_totals.calls = 7;
  compared.old_totals.calls_seen = 7;
  compared.old_program.runtime = "Old VM";
  model.compared = compared;
  StringOutput out;
  ASSERT_TRUE(write_html(model, "@COPSE_REPORT@", out).ok());
  ASSERT_TRUE(out.finish().ok());
  const std::string& json = out.text();
  const std::size_t at = json.find("\"compared\"");
  ASSERT_NE(at, std::string::npos);
  EXPECT_LT(at, json.find("\"nodes\""));
  std::string part = json.substr(at, json.find("\"methods\"") - at);
  std::erase_if(part, [](char c) { return c == ' ' || c == '\n'; });
  EXPECT_EQ(
      part.rfind("\"compared\":{\"old\":\"a.json\",\"new\":\"b.json\","
                 "\"id_rules\":\"copse.context/1sites=bcinames=exact\",\"renamed\":[{\"from\":"
                 "\"demo.Dao.find\",\"to\":\"demo.Dao.\\u003cquery>\"}],\"only_old\":[],"
                 "\"only_new\":[\"cpu_ns\"],"
                 "\"old_totals\":{\"calls\":7,",
                 0),
      0)
      << part;
  EXPECT_NE(part.find("\"old_program\":{"), std::string::npos);
  EXPECT_NE(part.find("\"runtime\":\"OldVM\""), std::string::npos);
}

TEST(HtmlWriter, SaysWhyThereIsNoPage) {
  StringOutput out;
  EXPECT_FAULT(write_html(testing::demo_model(), "", out), kUnsupported, "COPSE_BUILD_VIEWER=OFF");
  EXPECT_FAULT(write_html(testing::demo_model(), "<html></html>", out), kInternal);
}

}  // namespace
}  // namespace copse::report
