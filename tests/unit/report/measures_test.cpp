#include <gtest/gtest.h>

#include <numeric>

#include "report/exports/json_writer.h"
#include "report/model/json_reader.h"
#include "report/model/measure_view.h"
#include "report/model/model_builder.h"
#include "report/model/summed_measures.h"
#include "report/text/text_formats.h"
#include "support/expect_fault.h"
#include "support/report_samples.h"

namespace copse::report {
namespace {

// The demo program, with a value for each of its nodes but the last.
ReportModel demo() {
  testing::DemoProgram program = testing::demo_program();
  std::vector<std::uint64_t> values;
  for (std::uint32_t node = 0; node + 1 < program.tree.node_count(); ++node) {
    values.push_back(node * 10);
  }
  program.tables.measures = {{"waits", "ns", 7, values}, {"allocations", "events", 0, {}}};
  return std::move(build_model(program.tree, std::move(program.tables))).value();
}

std::string json(const ReportModel& model) {
  StringOutput out;
  write_json(model, out, JsonEmbedding::kFile);
  EXPECT_TRUE(out.finish().ok());
  return out.text();
}

std::uint64_t sum(const NumberColumn& values) {
  return std::accumulate(values.begin(), values.end(), std::uint64_t{0});
}

TEST(Measures, ComeInTheOrderOfAskingWithAValuePerNode) {
  const ReportModel model = demo();
  const std::size_t rows = model.nodes.parent.size();
  ASSERT_EQ(model.measures.size(), 2u);
  EXPECT_EQ(model.measures[0].name, "waits");
  EXPECT_EQ(model.measures[0].values.size(), rows);
  std::uint64_t expected = 0;
  const std::uint64_t nodes = testing::demo_program().tree.node_count();
  for (std::uint64_t node = 0; node + 1 < nodes; ++node) expected += node * 10;
  EXPECT_EQ(sum(model.measures[0].values), expected);
  EXPECT_EQ(model.measures[1].name, "allocations");
  EXPECT_EQ(model.measures[1].values, NumberColumn(rows));
}

TEST(Measures, AreSummedBeforeTheFirstOfSome) {
  std::vector<ProgramTables::Measure> measures = {
      {"events", "events", 1, {9}}, {"b", "ns", 2, {1, 2, 3}}, {"c", "ns", 3, {10}}};
  constexpr std::string_view kParts[] = {"a", "b", "c"};
  insert_sum(measures, "all", kParts, kParts);
  ASSERT_EQ(measures.size(), 4u);
  EXPECT_EQ(measures[1].name, "all");
  EXPECT_EQ(measures[1].unit, "ns");
  EXPECT_EQ(measures[1].lost, 5u);
  EXPECT_EQ(measures[1].values, (std::vector<std::uint64_t>{11, 2, 3}));
  EXPECT_EQ(measures[2].name, "b");
  constexpr std::string_view kOthers[] = {"a"};
  insert_sum(measures, "none", kOthers, kParts);
  insert_sum(measures, "none", kParts, kOthers);
  EXPECT_EQ(measures.size(), 4u);
  constexpr std::string_view kLast[] = {"c"};
  insert_sum(measures, "late", kParts, kLast);
  EXPECT_EQ(measures[3].name, "late");
}

TEST(Measures, GoWithTheirNodesWhenRowsAreReordered) {
  testing::DemoProgram program = testing::random_program(5, 400);
  std::vector<std::uint64_t> calls;
  for (std::uint32_t node = 0; node < program.tree.node_count(); ++node) {
    calls.push_back(program.tree.node(NodeIndex{node}).calls);
  }
  program.tables.measures = {{"same", "events", 0, calls}};
  const Result<ReportModel> model = build_model(program.tree, std::move(program.tables));
  ASSERT_TRUE(model.ok());
  EXPECT_EQ(model->measures[0].values, model->nodes.calls);
}

TEST(Measures, ReadBackAsTheyWereWritten) {
  const std::string text = json(demo());
  const Result<ReportModel> again = read_json(text, "demo");
  ASSERT_TRUE(again.ok()) << again.message();
  EXPECT_EQ(again->measures[0].name, "waits");
  EXPECT_EQ(again->measures[0].unit, "ns");
  EXPECT_EQ(again->measures[0].lost, 7u);
  EXPECT_EQ(again->shown, "waits");
  EXPECT_EQ(json(*again), text);
}

TEST(Measures, WithoutTheirColumnOrAnotherColumnsNameAreNoReport) {
  ReportModel model = demo();
  model.measures[0].values.resize(model.nodes.parent.size() - 1);
  EXPECT_FAULT(read_json(json(model), "FILE"), kMalformed, "nodes.waits: ");
  model = demo();
  model.measures[1].name = "waits";
  EXPECT_FAULT(read_json(json(model), "FILE"), kMalformed);
  model = demo();
  model.measures[0].name = "calls";
  EXPECT_FAULT(read_json(json(model), "FILE"), kMalformed);
}

TEST(Measures, AreShownWhenAskedFor) {
  ReportModel model = demo();
  ASSERT_TRUE(show_measure(model, "calls").ok());
  EXPECT_EQ(shown_measure(model).total, model.totals.calls);
  EXPECT_EQ(shown_measure(model).seen, model.totals.calls_seen);
  ASSERT_TRUE(show_measure(model, "waits").ok());
  const MeasureView waits = shown_measure(model);
  EXPECT_EQ(waits.values, &model.measures[0].values);
  EXPECT_EQ(waits.unit, Unit::kNanoseconds);
  EXPECT_EQ(waits.total, sum(model.measures[0].values));
  EXPECT_EQ(waits.lost, 7u);
  EXPECT_EQ(waits.seen, waits.total + 7);
  EXPECT_EQ(read_json(json(model), "demo")->shown, "waits") << "in a page or JSON: first";
  EXPECT_TRUE(read_json(json(model), "FILE").ok());
}

TEST(Measures, ThatAReportLacksAreAnsweredWithThoseItHas) {
  ReportModel model = demo();
  EXPECT_FAULT(show_measure(model, "cpu"), kNotFound,
               "--measure cpu: no CPU time in this report; record with --measure cpu. It has: ",
               "calls, waits, allocations");
  EXPECT_EQ(model.shown, "waits");
  model.totals.calls_seen = 0;
  EXPECT_FAULT(show_measure(model, "cpu"), kNotFound, " waits, allocations");
  model.measures.clear();
  EXPECT_FAULT(show_measure(model, "cpu"), kNotFound, " calls");
}

TEST(Measures, ThatAreNotThereAreSaidInTheWordsThatOptionsTake) {
  const std::vector<std::string> columns = {"calls", "cpu_ns", "cpu_samples", "parked_ns",
                                            "parked_samples"};
  EXPECT_EQ(
      absent_measure("alloc", columns),
      "no allocations in this report; record with --measure alloc. It has: calls, cpu, parked");
  EXPECT_EQ(absent_measure("alloc=exact", {"allocated_bytes", "allocation_samples"}, "a.json"),
            "no exact allocations in a.json; record with --measure alloc=exact. It has: alloc");
  EXPECT_EQ(absent_measure("runnable", {"calls"}, kEitherReport),
            "no time runnable in either report; record with --measure wall. They have: calls");
  EXPECT_EQ(absent_measure("contended_ns", {}),
            "no waits for locks in this report; record with --measure locks");
  EXPECT_EQ(absent_measure("exception", {"calls"}),
            "no exceptions in this report; record with --measure exceptions. It has: calls");
  EXPECT_EQ(absent_measure("cals", columns),
            "no such measure in this report; did you mean calls? It has: calls, cpu, parked");
  EXPECT_EQ(absent_measure("memory", {"calls", "heap_bytes"}),
            "no such measure in this report. It has: calls, heap_bytes");
}

// In this order: those of `names`, each with the unit that its name says.
Result<std::string> shown_by(const std::string& typed, const std::vector<std::string>& names) {
  ReportModel model = demo();
  model.measures.clear();
  for (const std::string& name : names) {
    const char* const unit = name.ends_with("_ns")      ? "ns"
                             : name.ends_with("_bytes") ? "bytes (estimate)"
                                                        : "events";
    model.measures.push_back({name, unit, 0, std::vector<std::uint64_t>(9, 1)});
  }
  if (Status status = show_measure(model, typed); !status.ok()) return status;
  return model.shown;
}

TEST(Measures, AreFoundByWhatAPersonTypes) {
  const std::vector<std::string> names = {"cpu_ns",          "cpu_samples",        "contended_ns",
                                          "allocated_bytes", "allocation_samples", "exceptions"};
  EXPECT_EQ(*shown_by("cpu", names), "cpu_ns");
  EXPECT_EQ(*shown_by("cpu_s", names), "cpu_samples");
  EXPECT_EQ(*shown_by("alloc", names), "allocated_bytes") << "not the samples it is made of";
  EXPECT_EQ(*shown_by("allocation", names), "allocation_samples");
  EXPECT_EQ(*shown_by("contended", names), "contended_ns");
  EXPECT_EQ(*shown_by("exc", names), "exceptions");
  EXPECT_EQ(*shown_by("ca", names), "calls");
  EXPECT_EQ(*shown_by("locks", names), "contended_ns") << "as a run is asked for them";
  EXPECT_EQ(*shown_by("locks", {"cpu_ns", "parked_ns"}), "parked_ns");
  EXPECT_EQ(*shown_by("cpu=native", {"cpu_ns", "cpu_native_ns"}), "cpu_native_ns");
  EXPECT_EQ(*shown_by("alloc=exact", {"allocated_bytes", "allocations"}), "allocated_bytes");
  EXPECT_FAULT(shown_by("alloc=exact", names), kNotFound, "no exact allocations");
}

TEST(Measures, GoByTheirExactNamesFirst) {
  EXPECT_EQ(*shown_by("cpu", {"cpu_ns", "cpu"}), "cpu");
  EXPECT_EQ(*shown_by("calls", {"calls_ns"}), "calls");
}

TEST(Measures, OfWhichSeveralCouldBeMeantAreAllNamed) {
  EXPECT_FAULT(shown_by("c", {"cpu_ns", "cpu_samples", "contended_ns"}), kNotFound,
               "--measure c: ", "cpu or locks");
  EXPECT_FAULT(shown_by("heap", {"heap_ns", "heap_bytes", "heap_samples"}), kNotFound,
               "heap_ns or heap_bytes");
  EXPECT_FAULT(shown_by("", {"cpu_ns"}), kNotFound, "calls, cpu");
}

TEST(Measures, AreShownWhenNobodyChoseTheFirstOfWhichThereIsAny) {
  ReportModel model = demo();
  EXPECT_EQ(model.shown, "waits");
  std::swap(model.measures[0], model.measures[1]);
  EXPECT_EQ(measure_to_show(model), "waits") << "nothing was allocated";
  model.measures[0].values = std::vector<std::uint64_t>(model.nodes.parent.size(), 1);
  EXPECT_EQ(measure_to_show(model), "allocations");
  for (ReportModel::Measure& measure : model.measures) {
    measure.values = NumberColumn(model.nodes.parent.size());
  }
  EXPECT_EQ(measure_to_show(model), "calls");
  model.totals.calls_seen = 0;
  EXPECT_EQ(measure_to_show(model), "allocations") << "nothing of it is what there is to say";
  model.measures.clear();
  EXPECT_EQ(measure_to_show(model), "calls");
}

TEST(Measures, OfProcessorTimeAreNotShownFirstWithFewerThanTenSamplesOfRecordedCode) {
  ReportModel model = demo();
  std::vector<std::uint64_t> samples(model.nodes.parent.size());
  samples[1] = 9;
  model.measures = {{"cpu_ns", "ns", 0, samples}, {"cpu_samples", "samples", 0, samples}};
  model.nodes.calls[2] = 0;  // as of other threads
  model.measures[1].values[2] = 100;
  EXPECT_EQ(measure_to_show(model), "calls");
  model.measures.pop_back();
  EXPECT_EQ(measure_to_show(model), "cpu_ns") << "of exact time";
  model.measures.push_back({"cpu_samples", "samples", 0, samples});
  model.measures[1].values[1] = 10;
  EXPECT_EQ(measure_to_show(model), "cpu_ns");
}

TEST(Measures, ThatAreEstimatesAreNotShownFirstWithFewerThanTenSamples) {
  ReportModel model = demo();
  std::vector<std::uint64_t> few(model.nodes.parent.size()), enough(model.nodes.parent.size());
  few[1] = 2;
  enough[1] = 65;
  model.measures = {{"cpu_ns", "ns", 0, few},
                    {"cpu_samples", "samples", 0, few},
                    {"allocated_bytes", "bytes", 0, few},
                    {"allocation_samples", "samples", 0, few}};
  EXPECT_EQ(measure_to_show(model), "calls");
  model.measures.push_back({"exceptions", "count", 0, few});
  EXPECT_EQ(measure_to_show(model), "exceptions") << "which are exact";
  model.measures.push_back({"wall_ns", "ns", 0, enough});
  model.measures.push_back({"wall_samples", "samples", 0, enough});
  EXPECT_EQ(measure_to_show(model), "wall_ns") << "in place of processor time";
}

TEST(Measures, ThatAreShownButMissingAreNoReport) {
  ReportModel model = demo();
  model.shown = "cpu";
  EXPECT_FAULT(read_json(json(model), "FILE"), kMalformed, "FILE: shown: 'cpu'");
}

TEST(Measures, OfAReportThatNamesNoneToShowAreShownAlike) {
  const std::string key = "\n\"shown\":\"waits\",";
  std::string text = json(demo());
  ASSERT_NE(text.find(key), std::string::npos);
  text.erase(text.find(key), key.size());
  const Result<ReportModel> again = read_json(text, "report");
  ASSERT_TRUE(again.ok()) << again.message();
  EXPECT_EQ(again->shown, "waits");
}

MeasureView view_of(const std::string& name, const std::string& unit) {
  ReportModel model = demo();
  model.measures = {{name, unit, 0, std::vector<std::uint64_t>(model.nodes.parent.size(), 1)}};
  model.shown = name;
  return shown_measure(model);  // its values are gone, its texts are not
}

TEST(Measures, HaveNamesAsPeopleSayThem) {
  const auto expect = [](const MeasureView& view, const char* words, const char* heading) {
    EXPECT_EQ(view.words, words);
    EXPECT_EQ(view.heading, heading);
  };
  expect(view_of("exceptions", "events"), "exceptions", "exceptions");
  expect(view_of("cpu_ns", "ns"), "cpu time", "cpu");
  expect(view_of("cpu_samples", "events"), "cpu samples", "samples");
  expect(view_of("contended_ns", "ns"), "contended time", "contended");
  expect(view_of("allocated_bytes", "bytes"), "allocated bytes", "allocated");
  expect(view_of("allocated_bytes", "bytes (estimate)"), "allocated bytes", "allocated");
  EXPECT_TRUE(view_of("allocated_bytes", "bytes (estimate)").is_estimate);
  expect(view_of("ids_asked", "events"), "ids asked", "ids asked");
  ReportModel model = demo();
  model.shown = "calls";
  expect(shown_measure(model), "calls", "calls");
  model.totals.calls_of = kMarkedMethods;
  expect(shown_measure(model), "calls of marked methods", "calls");
}

std::string summary_by(const std::string& measure) {
  ReportModel model = demo();
  model.shown = measure;
  StringOutput out;
  write_summary(model, {}, out);
  EXPECT_TRUE(out.finish().ok());
  return out.text();
}

TEST(Measures, SayInTheSummaryWhatIsShownAndInWhat) {
  const std::string text = summary_by("waits");
  const auto has = [&](const std::string& part) { return text.find(part) != std::string::npos; };
  EXPECT_TRUE(
      has("\n  waits                      280 ns\n  calls                       3,018\n  contexts  "
          "                      8  called, 7 with waits\n"))
      << text;
  EXPECT_TRUE(has("  proof: 287 ns of waits seen = 280 in nodes + 7 lost\n")) << text;
  EXPECT_TRUE(has("\nHot methods by waits (inclusive: with callees, ")) << text;
  EXPECT_TRUE(has("\nwaits ms                 ms  calls    ns/call    ns/call  method\n")) << text;
  EXPECT_TRUE(has("\n          3,018  calls, 2 more lost\n              0  allocations\n")) << text;
}

TEST(Measures, ThatAreNotShownAreSummedUpInTheSummary) {
  const std::string text = summary_by("calls");
  EXPECT_NE(text.find("\n         280 ns  waits, 7 ns more lost\n"), std::string::npos) << text;
}

// The demo's nodes are 9; all but one of them count for nothing here.
TEST(Measures, PadNoRankingAndNoTreeWithWhatHasNoneOfThem) {
  ReportModel model = demo();
  model.measures[0].values = NumberColumn(model.nodes.parent.size());
  model.measures[0].values[7] = 2'500'000'000;  // work, called by main
  StringOutput summary;
  write_summary(model, {.calls_too = false}, summary);
  EXPECT_TRUE(summary.finish().ok());
  EXPECT_EQ(summary.text().find("Log.log"), std::string::npos) << summary.text();
  StringOutput tree;
  write_tree(model, {0, 40}, tree);
  EXPECT_TRUE(tree.finish().ok());
  EXPECT_EQ(tree.text(),
            "calls waits ms incl. ms         incl. ns/call  context (@N: called at line N of the "
            "frame above)\n"
            "    1        0  2,500.0 100.0 % 2,500,000,000  demo.Main.main\n"
            "1,000  2,500.0  2,500.0 100.0 %     2,500,000    demo.Main.work  @12\n"
            "\nincl.: inclusive; incl. ns/call: per call of exactly this context\n");
  StringOutput collapsed;
  write_collapsed(model, {}, collapsed);
  EXPECT_TRUE(collapsed.finish().ok());
  EXPECT_EQ(collapsed.text(), "demo.Main.main;demo.Main.work 2500000000\n") << "plain integers";
}

}  // namespace
}  // namespace copse::report
