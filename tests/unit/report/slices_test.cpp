#include "report/model/slices.h"

#include <gtest/gtest.h>

#include <regex>
#include <string>
#include <vector>

#include "report/exports/json_writer.h"
#include "report/model/hottest.h"
#include "report/model/json_reader.h"
#include "report/model/report_builder.h"
#include "report/part/cut.h"
#include "report/text/slice_lists.h"
#include "support/expect_fault.h"
#include "support/small_report.h"

namespace copse::report {
namespace {

std::string json_of(const ReportModel& model) {
  StringOutput out;
  write_json(model, out, JsonEmbedding::kFile);
  EXPECT_TRUE(out.finish().ok());
  return out.text();
}

// main -> handle -> (query, log), with three slices of handle: 1, 3 and 2 queries, and the third logs twice. A fourth is
// not kept.
ReportModel sliced_report() {
  testing::SmallReport report;
  const std::int32_t main = report.method("Shop", "main"), handle = report.method("Shop", "handle"),
                     query = report.method("Shop", "query"), log = report.method("Shop", "log");
  const std::int32_t of_main = report.node(0, main);
  const std::int32_t of_handle = report.node(of_main, handle, 10, 1, 4);
  report.node(of_handle, query, 20, 1, 8);
  report.node(of_handle, log, 21, 2, 2);
  ReportModel& model = report.model;
  ReportModel::Slices& slices = model.slices;
  slices.keep = 20;
  slices.in_part = 1;
  slices.sums = {{handle}, {4}, {14}, {1000}};
  slices.kept = {{1, 2, 3},
                 {handle, handle, handle},
                 {"http-1", "http-2", "http-1"},
                 {"sample", "slowest,sample", "most-calls,sample"},
                 {0, 100, 300},
                 {50, 700, 200},
                 {0, 90, 80},
                 {2, 4, 5},
                 {0, 0, 0},
                 {2, 2, 3},
                 {"", std::string(32, 'a'), ""},
                 {"", std::string(16, 'b'), ""}};
  slices.measures = {{"allocated_bytes", "parked_ns"}, {"bytes", "ns"}, {0, 1}};
  slices.sum_amounts = {{0, 0}, {0, 1}, {4096, 900}};
  slices.kept_amounts = {{0, 1, 1}, {0, 0, 1}, {1024, 2048, 900}};
  slices.contexts = {{2, 3, 2, 3, 2, 3, 4}, {1, 1, 1, 3, 1, 2, 2}};
  slices.calls = {{handle, handle, handle},
                  {handle, query, log},
                  {4, 4, 1},
                  {4, 8, 2},
                  {1, 3, 2},
                  {1, 2, 3},
                  {1, 3, 1}};
  slices.buckets = {{1, 1, 2, 3, 2}, {4, 1, 2, 1, 1}};
  measure_tree(model);
  model.totals.calls_seen = model.totals.calls;
  return model;
}

TEST(SlicesOfReports, AreReadBackAsTheyWereWritten) {
  const std::string text = json_of(sliced_report());
  const Result<ReportModel> again = read_json(text, "FILE");
  ASSERT_TRUE(again.ok()) << again.message();
  EXPECT_EQ(json_of(*again), text);
  EXPECT_EQ(again->slices.kept.thread[1], "http-2");
  EXPECT_EQ(span_of(again->slices, 1).span, std::string(16, 'b'));
  EXPECT_EQ(span_of(again->slices, 2).trace, "");
}

TEST(SlicesOfReports, OfEarlierVersionsHaveNeitherSpansNorMeasures) {
  ReportModel model = sliced_report();
  model.slices.kept.trace.clear();
  model.slices.kept.span.clear();
  const Result<ReportModel> again = read_json(json_of(model), "FILE");
  ASSERT_TRUE(again.ok()) << again.message();
  EXPECT_EQ(span_of(again->slices, 1).trace, "");
}

TEST(SlicesOfReports, AreCheckedWhenRead) {
  const auto error_with = [](const std::string& from, const std::string& to) {
    std::string text = json_of(sliced_report());
    const std::size_t at = text.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    return faults::status_of(read_json(text.replace(at, from.size(), to), "FILE"));
  };
  EXPECT_FAULT(error_with("\"node\":[2,3,2", "\"node\":[9,3,2"), kMalformed, "slices");
  EXPECT_FAULT(error_with("\"node\":[2,3,2", "\"node\":[3,2"), kMalformed, "slices");
  EXPECT_FAULT(error_with("\"contexts\":[2,2,3]", "\"contexts\":[2,2,2]"), kMalformed, "slices");
  EXPECT_FAULT(error_with("\"calls\":[1,1,1,3,1,2,2]", "\"calls\":[1,1,1,3,1,2,3]"), kMalformed,
               "slice 3");
  EXPECT_FAULT(error_with("\"of\":[0,1,1]", "\"of\":[0,1,3]"), kMalformed, "slices");
  EXPECT_FAULT(error_with("\"measure\":[0,0,1]", "\"measure\":[0,0,2]"), kMalformed, "slices");
  EXPECT_FAULT(error_with("\"sampled\":[0,1]", "\"sampled\":[0]"), kMalformed, "slices");
  EXPECT_FAULT(error_with("\"trace\":[\"\",", "\"trace\":["), kMalformed, "slices");
  EXPECT_FAULT(error_with("\"buckets\":[1,3,1]", "\"buckets\":[1,3,2]"), kMalformed, "slices");
}

TEST(SlicesOfReports, AreFoundByIdAndByWords) {
  const ReportModel model = sliced_report();
  EXPECT_EQ(*find_slice(model, "slowest"), 1u);
  EXPECT_EQ(*find_slice(model, "most-calls"), 2u);
  EXPECT_EQ(*find_slice(model, "typical"), 2u);  // 50, 200, 700 ns
  EXPECT_EQ(*find_slice(model, "1"), 0u);
  for (const char* which : {"4", "fastest", "", "1x"}) {
    EXPECT_FAULT(faults::status_of(find_slice(model, which)), kNotFound, "slowest");
  }
  EXPECT_FAULT(faults::status_of(find_slice(ReportModel(), "1")), kNotFound, "--slice");
}

TEST(SlicesOfReports, HaveQuantilesOverAllSlices) {
  const ReportModel model = sliced_report();
  const CallsInSlices queries(model.slices, 1), logs(model.slices, 2);
  EXPECT_EQ(queries.slices(), 4u);
  EXPECT_EQ(queries.quantile(250), 1u);
  EXPECT_EQ(queries.quantile(500), 2u);
  EXPECT_EQ(queries.quantile(750), 2u);
  EXPECT_EQ(queries.quantile(751), 3u);
  EXPECT_EQ(logs.quantile(500), 0u);  // three slices do not log
  EXPECT_EQ(logs.quantile(1000), 2u);
}

TEST(SlicesOfReports, HaveWhatTellsThemApartInFullHoweverNarrowLinesAre) {
  ReportModel model = sliced_report();
  for (const bool have_one_method : {true, false}) {
    if (!have_one_method) {
      ReportModel::Slices& slices = model.slices;
      slices.sums.method.push_back(slices.calls.method[1]);
      for (auto* column : {&slices.sums.slices, &slices.sums.calls, &slices.sums.wall_ns}) {
        column->push_back(1);
      }
    }
    StringOutput out;
    TextLines lines(out, 60);
    write_slice_lists(model, 10, lines);
    EXPECT_TRUE(out.finish().ok());
    const std::string text = std::regex_replace(out.text(), std::regex("\\s+"), " ");
    EXPECT_EQ(text.find("..."), std::string::npos) << out.text();
    EXPECT_NE(text.find(", trace " + std::string(32, 'a') + " "), std::string::npos) << out.text();
    EXPECT_EQ(text.find("Shop.handle in http-2, ") == std::string::npos, have_one_method)
        << out.text();
  }
}

TEST(SlicesOfReports, AreToldApartThatWereSlowWithoutMoreCalls) {
  ReportModel model = sliced_report();
  const std::size_t slowest = 1, typical = 2;
  EXPECT_EQ(typical_slice(model.slices, model.slices.kept.method[slowest]), typical);
  EXPECT_EQ(typical_slice(model.slices, 0), std::nullopt);
  // A call more in one of its contexts.
  EXPECT_EQ(faster_with_as_many_calls(model.slices, slowest), std::nullopt);
  model.slices.contexts.calls[3] = 2;
  model.slices.kept.calls[slowest] = 3;
  EXPECT_EQ(faster_with_as_many_calls(model.slices, slowest), typical);
  EXPECT_NE(sliced(model, "slowest")->notes.front().find("typical"), std::string::npos);
  // Another context.
  model.slices.contexts.node[3] = 4;
  EXPECT_NE(faster_with_as_many_calls(model.slices, slowest), std::nullopt);
  model.slices.contexts.node[5] = 4;
  model.slices.contexts.calls[5] = 0;
  model.slices.contexts.node[3] = 3;
  EXPECT_EQ(faster_with_as_many_calls(model.slices, slowest), std::nullopt);
  EXPECT_EQ(faster_with_as_many_calls(model.slices, typical), std::nullopt);
}

TEST(SlicesOfReports, AreReportsOfTheirOwn) {
  const Result<ReportModel> part = sliced(sliced_report(), "3");
  ASSERT_TRUE(part.ok()) << part.message();
  EXPECT_EQ(part->nodes.calls, (std::vector<std::uint64_t>{0, 0, 1, 2, 2}));
  EXPECT_EQ(part->totals.calls, 5u);
  EXPECT_EQ(part->totals.calls_seen, 5u);
  EXPECT_EQ(part->totals.threads, 1u);
  EXPECT_EQ(part->slices.keep, 0u);
  const Result<ReportModel> without_log = sliced(sliced_report(), "1");
  EXPECT_EQ(without_log->nodes.calls, (std::vector<std::uint64_t>{0, 0, 1, 1}));
  EXPECT_FAULT(faults::status_of(sliced(sliced_report(), "9")), kNotFound, "--slice 9");
}

TEST(SlicesOfReports, AreLeftOutOfAPartOfAReportWithANote) {
  const auto notes_of = [](const ReportModel& part) {
    EXPECT_EQ(part.slices.keep, 0u);
    return part.notes.front();
  };
  ReportModel model = sliced_report();
  const std::vector<bool> all(model.nodes.parent.size(), true);
  const std::string note = " Slices are of the whole run, and left out.";
  EXPECT_TRUE(notes_of(focused_on(model, all, "All.")).ends_with(note));
  EXPECT_FALSE(notes_of(*sliced(model, "3")).ends_with(note))
      << "a slice is no part without slices";
  model.slices = {};
  EXPECT_FALSE(notes_of(focused_on(model, all, "All.")).ends_with(note));
}

TEST(SlicesOfReports, KeepTheirCallsWhereContextsAreEvicted) {
  ReportModel model = sliced_report();
  keep_hottest(model, 3);
  ASSERT_EQ(model.totals.contexts, 3u);
  EXPECT_TRUE(check_slices(model).ok());
  std::uint64_t calls = 0;
  for (const std::uint64_t of_context : model.slices.contexts.calls) calls += of_context;
  EXPECT_EQ(calls, 11u);
}

}  // namespace
}  // namespace copse::report
