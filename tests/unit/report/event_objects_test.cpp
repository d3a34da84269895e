#include "report/model/event_objects.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "report/exports/json_writer.h"
#include "report/model/json_reader.h"
#include "report/text/text_formats.h"
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

// main -> 5 bytes of int[], read -> 7 of byte[], 2 of int[]; main -> read again with 1 of byte[]; 3 outside.
ReportModel allocating() {
  testing::SmallReport report;
  const std::int32_t main = report.method("a.A", "main");
  const std::int32_t read = report.method("a.A", "read");
  const std::int32_t bytes = report.method("", "new byte[]", "", "");
  const std::int32_t ints = report.method("", "new int[]", "", "");
  const std::int32_t of_main = report.node(0, main);
  report.node(of_main, ints);
  const std::int32_t first = report.node(of_main, read, 3);
  report.node(first, bytes);
  report.node(first, ints);
  const std::int32_t second = report.node(of_main, read, 4);
  report.node(second, bytes);
  report.node(0, bytes);
  report.model.measures.push_back({"allocated_bytes", "bytes", 0, {0, 0, 5, 0, 7, 2, 0, 1, 3}});
  report.model.shown = "allocated_bytes";
  return report.model;
}

TEST(EventAmounts, CountAtTheMethodWhoseEventItIs) {
  const ReportModel model = allocating();
  EXPECT_EQ(AmountsAtCallers(model, model.measures.front().values).values(),
            (std::vector<std::uint64_t>{0, 5, 0, 9, 0, 0, 1, 0, 3}));
}

TEST(EventAmounts, AreSumsByClassOfAllAndOfAMethod) {
  const ReportModel model = allocating();
  const EventAmounts amounts(model, model.measures.front().values);
  EXPECT_EQ(amounts.kind(), "allocation");
  EXPECT_EQ(amounts.total(), 18u);
  const auto texts = [](const std::vector<EventAmounts::OfClass>& classes) {
    std::string text;
    for (const auto& one : classes) {
      text += std::string(one.class_name) + " " + std::to_string(one.amount) + ";";
    }
    return text;
  };
  EXPECT_EQ(texts(amounts.all()), "byte[] 11;int[] 7;");
  EXPECT_EQ(texts(amounts.of_method(1)), "byte[] 8;int[] 2;");
  EXPECT_EQ(texts(amounts.of_method(0)), "int[] 5;");
}

TEST(EventAmounts, AreRankedByMethodWithTheirTypeAndThenByType) {
  StringOutput out;
  write_summary(allocating(), SummaryOptions{}, out);
  ASSERT_TRUE(out.finish().ok());
  const std::string& text = out.text();
  EXPECT_NE(text.find("byte[] and 1 more  a.A.read"), std::string::npos) << text;
  const std::size_t by_type = text.find("By type");
  ASSERT_NE(by_type, std::string::npos) << text;
  EXPECT_LT(text.find("byte[]", by_type), text.find("int[]", by_type)) << text;
}

}  // namespace
}  // namespace copse::report
