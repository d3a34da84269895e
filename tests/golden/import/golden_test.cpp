// One small report joined with samples of each kind, against files a person has read. To accept a
// change: COPSE_UPDATE_GOLDEN=1 golden_import, then read the difference.
#include <gtest/gtest.h>

#include "import/join.h"
#include "import/samples_reader.h"
#include "report/exports/json_writer.h"
#include "report/model/json_reader.h"
#include "support/golden.h"

namespace copse::join {
namespace {

using test::expect_golden;

const std::string kFolder = COPSE_GOLDEN_FOLDER;

std::string joined(const std::string& samples, const JfrReading& jfr = {}) {
  Result<report::ReportModel> model = report::read_json_file(kFolder + "/report.json");
  EXPECT_TRUE(model.ok());
  Result<std::unique_ptr<wire::ByteSource>> file = wire::open_file(kFolder + "/" + samples);
  EXPECT_TRUE(file.ok());
  SampleBytes bytes(std::move(file).value());
  const Result<SampledStacks> stacks = read_samples(bytes, jfr);
  EXPECT_TRUE(stacks.ok()) << stacks.message();
  const SampledStacks::Value& value = stacks->values()[stacks->shown];
  join_samples(*model, *stacks, stacks->shown, measure_name(value));
  report::StringOutput out;
  report::write_json(*model, out);
  EXPECT_TRUE(out.finish().ok());
  return out.text();
}

TEST(GoldenJoin, OfCollapsedStacks) {
  expect_golden("collapsed.json", joined("samples.collapsed"));
}

TEST(GoldenJoin, OfAFlightRecording) {
  expect_golden("jfr.json", joined("samples.jfr.json", {{{"ExecutionSample", 109}}, true}));
}

TEST(GoldenJoin, OfAProfileOfPprof) { expect_golden("pprof.json", joined("samples.pb.gz")); }

}  // namespace
}  // namespace copse::join
