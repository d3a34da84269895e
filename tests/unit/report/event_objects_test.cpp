#include "report/model/event_objects.h"

#include <gtest/gtest.h>

#include <string>

#include "report/exports/json_writer.h"
#include "report/model/json_reader.h"
#include "support/small_report.h"

namespace copse::report {
namespace {

// "kind class place" of a method that has no class and no descriptor, or "none".
std::string object_called(const std::string& name) {
  testing::SmallReport report;
  const std::int32_t method = report.method("", name, "", "");
  const auto object = event_object_of(report.model.methods, static_cast<std::size_t>(method));
  if (!object) return "none";
  return std::string(object->kind) + '|' + std::string(object->class_name) + '|' +
         std::string(object->place);
}

TEST(EventObjects, AreWhatTheNamesOfTheirMethodsSay) {
  EXPECT_EQ(object_called("new byte[]"), "allocation|byte[]|");
  EXPECT_EQ(object_called("new (other classes)"), "allocation|(other classes)|");
  EXPECT_EQ(object_called("throw demo.Missing at demo.Store.find:31"),
            "exception|demo.Missing|demo.Store.find:31");
  EXPECT_EQ(object_called("throw demo.Missing"), "exception|demo.Missing|");
  EXPECT_EQ(object_called("synchronized demo.Store.class"), "contention|demo.Store.class|");
  EXPECT_EQ(object_called("park demo.Lock$Sync"), "parked|demo.Lock$Sync|");
}

TEST(EventObjects, AreNoMethodsOfAProgramAndNoThreads) {
  for (const char* name : {"[main]", "(no recorded caller)", "newest", "park", "start_thread"}) {
    EXPECT_EQ(object_called(name), "none") << name;
  }
  testing::SmallReport report;
  const std::int32_t method = report.method("a.A", "new thing");  // as Kotlin's tests are called
  EXPECT_FALSE(event_object_of(report.model.methods, static_cast<std::size_t>(method)));
}

std::string json_of(const ReportModel& model) {
  StringOutput out;
  write_json(model, out);
  EXPECT_TRUE(out.finish().ok());
  return out.text();
}

TEST(EventObjects, AreATableOfAReportThatHasSome) {
  testing::SmallReport report;
  const std::int32_t main = report.node(0, report.method("a.A", "main"));
  EXPECT_EQ(json_of(report.model).find("\"kinds\""), std::string::npos);
  report.node(main, report.method("", "new byte[]", "", ""), -1, 0, 0);
  report.node(main, report.method("", "throw a.Gone at a.A.main:7", "", ""), -1, 0, 0);
  const std::string text = json_of(report.model);
  EXPECT_NE(text.find(R"("kinds":{
"method":[1,2],
"kind":["allocation","exception"],
"class":["byte[]","a.Gone"],
"place":["","a.A.main:7"]})"),
            std::string::npos)
      << text;
  const Result<ReportModel> again = read_json(text, "report");
  ASSERT_TRUE(again.ok()) << again.message();
  EXPECT_EQ(json_of(*again), text);
}

}  // namespace
}  // namespace copse::report
