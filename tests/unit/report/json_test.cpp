#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>

#include "report/exports/json_writer.h"
#include "report/model/json_reader.h"
#include "report/model/model_builder.h"
#include "support/expect_fault.h"
#include "support/report_samples.h"
#include "support/small_report.h"

namespace copse::report {
namespace {

std::string json(const ReportModel& model, JsonEmbedding embedding = JsonEmbedding::kFile) {
  StringOutput out;
  write_json(model, out, embedding);
  EXPECT_TRUE(out.finish().ok());
  return out.text();
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

Status error_of(const std::string& text) { return faults::status_of(read_json(text, "FILE")); }

TEST(Json, ReadsBackWhatItWrote) {
  const std::string text = json(testing::demo_model());
  const Result<ReportModel> model = read_json(text, "demo");
  ASSERT_TRUE(model.ok()) << model.message();
  EXPECT_EQ(json(*model), text);
}

TEST(Json, KeepsMeasuresOfThreadsAndTheTimeLine) {
  ReportModel model = testing::demo_model();
  std::vector<std::uint64_t> of_threads;
  for (std::size_t i = 0; i < model.threads.size(); ++i) of_threads.push_back(10 + i);
  model.measures.push_back(
      {"cpu_ns", "ns", 0, std::vector<std::uint64_t>(model.nodes.parent.size()), of_threads});
  model.timeline = {100, {1, 2}, {3, 4}, {5, 6}, {7, 8}};
  const std::string text = json(model);
  const Result<ReportModel> again = read_json(text, "demo");
  ASSERT_TRUE(again.ok()) << again.message();
  EXPECT_EQ(again->find_measure("cpu_ns")->of_threads, of_threads);
  EXPECT_EQ(again->timeline.collectors_ns, (std::vector<std::uint64_t>{5, 6}));
  EXPECT_EQ(json(*again), text);
  EXPECT_FAULT(error_of(replaced(text, "\"threads\":[10,", "\"threads\":[10,10,")), kMalformed,
               "cpu_ns", "threads");
  EXPECT_FAULT(error_of(replaced(text, "\"step_ms\":100", "\"step_ms\":0")), kMalformed, "step_ms");
  EXPECT_FAULT(error_of(replaced(text, "[5,6]", "[5]")), kMalformed, "timeline");
}

TEST(Json, KeepsTextOfAnyKind) {
  ReportModel model = testing::demo_model();
  model.methods.class_name[0] =
      "</script>\"\\\n\x01\x7F\xE2\x80\xAE"
      "é😀";
  const Result<ReportModel> again = read_json(json(model), "demo");
  ASSERT_TRUE(again.ok()) << again.message();
  EXPECT_EQ(again->methods.class_name[0], model.methods.class_name[0]);
}

TEST(Json, HoldsNoTagWhenMeantForAPage) {
  ReportModel model = testing::demo_model();
  model.methods.class_name[0] = "</script><!--";
  const std::string text = json(model, JsonEmbedding::kHtmlScript);
  EXPECT_EQ(text.find('<'), std::string::npos);
  EXPECT_EQ(read_json(text, "demo")->methods.class_name[0], "</script><!--");
}

TEST(Json, HoldsNoControlCharacterThatATerminalWouldObey) {
  ReportModel model = testing::demo_model();
  const std::string name =
      "\x1B[2J \x7F \xC2\x9B"
      "31m \xC2\xA0 \r\b";
  model.methods.name[0] = name;
  const std::string text = json(model);
  for (const char* spelled : {"\\u001b[2J", "\\u007f", "\\u009b31m", "\\u000d\\u0008"}) {
    EXPECT_NE(text.find(spelled), std::string::npos) << spelled;
  }
  EXPECT_EQ(text.find('\x1B'), std::string::npos);
  EXPECT_EQ(text.find("\xC2\x9B"), std::string::npos);
  EXPECT_EQ(read_json(text, "text")->methods.name[0], name);
}

TEST(Json, ReplacesInvalidUtf8) {
  ReportModel model = testing::demo_model();
  model.program.runtime = "bad \xFF byte";
  EXPECT_EQ(read_json(json(model), "demo")->program.runtime, "bad \xEF\xBF\xBD byte");
}

TEST(Json, KeepsTheLargestCount) {
  ReportModel model = testing::demo_model();
  const std::uint64_t huge = ~std::uint64_t{0} - model.totals.calls + model.nodes.calls[1];
  model.nodes.calls[1] = huge;
  model.totals.calls = ~std::uint64_t{0};
  EXPECT_EQ(read_json(json(model), "demo")->nodes.calls[1], huge);
}

TEST(Json, TellsASnapshotFromAReportOfTheWholeRun) {
  ReportModel model = testing::demo_model();
  EXPECT_EQ(json(model).find("snapshot"), std::string::npos);
  model.program.snapshot = 3;
  EXPECT_EQ(read_json(json(model), "demo")->program.snapshot, 3);
}

// As in a report whose writer did not count them.
TEST(Json, KeepsCallsOfEvictedContextsOfWhichNobodyKnowsHowMany) {
  testing::DemoProgram program = testing::demo_program();
  program.tables.methods.push_back({kEvictedClass, kEvictedName, "", "", "", {}});
  program.tree.add(kRootNode, 0, 4, 30);
  ReportModel model = std::move(build_model(program.tree, std::move(program.tables))).value();
  model.totals.evicted_calls = 30;
  model.totals.evicted_contexts = 0;
  const Result<ReportModel> again = read_json(json(model), "FILE");
  ASSERT_TRUE(again.ok()) << again.message();
  EXPECT_EQ(again->totals.evicted_calls, 30u);
}

TEST(Json, SkipsKeysItDoesNotKnow) {
  std::string text = replaced(json(testing::demo_model()),
                              "\"parent\":", "\"alloc_bytes\":[1,[2,{\"a\":[]}]],\"parent\":");
  text = replaced(text, "\"created_by\":", "\"later\":{\"nodes\":[{}],\"x\":null},\"created_by\":");
  text = replaced(text, "{\"id\":", "{\"parent\":0,\"tags\":[\"x\"],\"id\":");
  text = replaced(text, "\"engine\":", "\"globs\":[\"a\"],\"count\":3,\"engine\":");
  const Result<ReportModel> model = read_json(text, "demo");
  ASSERT_TRUE(model.ok()) << model.message();
  EXPECT_EQ(model->nodes.parent.size(), 9u);
  EXPECT_EQ(model->options.at("count"), "3");
}

TEST(Json, KeepsAnOptionWithoutAName) {
  ReportModel model = testing::demo_model();
  model.options[""] = "x";
  EXPECT_EQ(read_json(json(model), "demo")->options.at(""), "x");
}

TEST(Json, RejectsWhatIsNoReport) {
  EXPECT_FAULT(error_of(""), kMalformed, "FILE: ");
  EXPECT_FAULT(error_of("{}"), kMalformed, "\"schema\"");
  EXPECT_FAULT(error_of("[]"), kMalformed, "FILE: near byte 1: ");
  EXPECT_FAULT(error_of(R"({"schema":"copse.cct/9"})"), kUnsupported, "copse.cct/9", "copse.cct/2");
  EXPECT_FAULT(error_of(R"({"schema":"copse.cct/1"})"), kUnsupported, "FILE: ", "copse.cct/1");
  EXPECT_FAULT(error_of("{\"schema\":"), kMalformed, "FILE: ", "line 1, column 11");
}

TEST(Json, RejectsAComparison) {
  ReportModel model = testing::demo_model();
  EXPECT_EQ(json(model).find("compared"), std::string::npos) << "a report never has it";
  model.compared.emplace();
  EXPECT_FAULT(error_of(json(model)), kMalformed, "FILE: ");
}

TEST(Json, RejectsBrokenColumns) {
  const std::string good = json(testing::demo_model());
  const auto with = [&](const char* from, const char* to) {
    return error_of(replaced(good, from, to));
  };
  EXPECT_FAULT(with("\"calls\":[0,7", "\"calls\":[0"), kMalformed, "FILE: nodes: ");
  EXPECT_FAULT(with("\"parent\":[-1,0,0,2", "\"parent\":[-1,0,0,4"), kMalformed,
               "nodes.parent[3]: 4 ");
  EXPECT_FAULT(with("\"parent\":[-1,0,0,2,3,2", "\"parent\":[-1,0,0,2,3,1"), kMalformed,
               "nodes.parent[5]: ");
  EXPECT_FAULT(with("\"calls\":[0,7", "\"calls\":[0,8"), kMalformed, "totals.calls: 3018", "3019");
  EXPECT_FAULT(with("\"calls\":[0,7", "\"calls\":[0,-7"), kMalformed, "nodes.calls: -7 ");
  EXPECT_FAULT(with("\"calls\":[0,7", "\"calls\":[0,7.5"), kMalformed, "nodes.calls: ");
  EXPECT_FAULT(with("\"calls\":[0,7", "\"calls\":[0,\"7\""), kMalformed, "nodes.calls: ");
  EXPECT_FAULT(with("\"site\":[-1", "\"site\":[99"), kMalformed, "ROOT");
}

TEST(Json, RejectsListsThatAreNotValid) {
  const std::string good = json(testing::demo_model());
  for (const char* list :
       {"[0,7,1,1,3,2,4,1000,2000,]", "[0,07,1,1,3,2,4,1000,2000]", "[0,-,1]", "[0,,7]", "[0,7 1]",
        "[0,7,1", "[0,+7,1]", "[0,7,1,1,3,2,4,1000,2000,-]"}) {
    const Status status = error_of(
        replaced(good, "\"calls\":[0,7,1,1,3,2,4,1000,2000]", std::string("\"calls\":") + list));
    EXPECT_FAULT(status, kMalformed, "FILE: not valid JSON: line ");
  }
  EXPECT_TRUE(read_json(replaced(good, "\"calls\":[0,7,1", "\"calls\":[0 ,7,\n 1"), "FILE").ok());
}

// A file is read in blocks: each length of a number meets the end of one at each of its places.
TEST(Json, ReadsListsOfManyBlocks) {
  testing::SmallReport report;
  const std::int32_t method = report.method("demo.Main", "main");
  const std::int32_t main = report.node(0, method);
  std::uint64_t calls = 1;
  for (int i = 0; i < 50'000; ++i) {
    report.node(main, method, i + 1, i, calls);
    calls = calls > 100'000'000'000 ? 1 : calls * 7 + 3;
  }
  report.model.totals.max_depth = 2;
  const std::string text = json(report.model),
                    path = ::testing::TempDir() + "/copse_many_blocks.json";
  std::ofstream(path) << text;
  const Result<ReportModel> model = read_json_file(path);
  std::remove(path.c_str());
  ASSERT_TRUE(model.ok()) << model.message();
  EXPECT_EQ(model->nodes.calls, report.model.nodes.calls);
  EXPECT_EQ(json(*model), text);
}

TEST(Json, NamesAFileItCannotRead) {
  EXPECT_FAULT(read_json_file("/nonexistent/report.json"), kSystem,
               "/nonexistent/report.json: No such file");
  EXPECT_FAULT(read_json_file("/"), kSystem, "/: Is a directory");
}

}  // namespace
}  // namespace copse::report
