// Any bytes as another profiler's samples: either one line of complaint, or a joined report that keeps
// its promises, in which every sample is. The same of a report that is made of the samples alone.
#include <algorithm>
#include <cstdint>
#include <numeric>
#include <string_view>
#include <vector>

#include "base/wire/byte_source.h"
#include "import/imported_report.h"
#include "import/join.h"
#include "import/samples_reader.h"
#include "report/model/model_check.h"
#include "support/fuzz_require.h"
#include "support/small_report.h"

using namespace copse;
using namespace copse::join;

namespace {

// Two contexts that a line tells apart, an overload, recursion, and contexts that were evicted.
report::ReportModel small_report() {
  testing::SmallReport report;
  const std::int32_t evicted = report.method(report::kEvictedClass, report::kEvictedName, "", "");
  const std::int32_t log = report.method("a.B", "log");
  const std::int32_t main = report.method("a.B", "main");
  const std::int32_t run = report.method("a.B", "run", "(I)V");
  const std::int32_t run_too = report.method("a.B", "run", "(J)V");
  const std::int32_t main_row = report.node(0, main);
  const std::int32_t run_row = report.node(main_row, run, 5, 1);
  report.node(run_row, log, 7, 2);
  const std::int32_t run_again = report.node(main_row, run, 6, 3);
  report.node(run_again, evicted);
  report.node(report.node(run_again, run_too, 8, 1), run_too, 9, 4);
  report.model.totals.evicted_calls = 1;
  return report.model;
}

// Each value is calls or a measure, to the last one; other measures are the numbers of samples of one.
void require_all_samples(const SampledStacks& stacks, const report::ReportModel& model) {
  std::vector<std::uint64_t> sums = {model.totals.calls};
  for (const report::ReportModel::Measure& measure : model.measures) {
    sums.push_back(std::accumulate(measure.values.begin(), measure.values.end(), std::uint64_t{0}));
  }
  std::vector<std::uint64_t> samples = {0};  // of values without any amount
  for (std::size_t value = 0; value < stacks.values().size(); ++value) {
    const std::uint64_t total = stacks.values()[value].total;
    const auto found = std::ranges::find(sums, total);
    require(total == 0 || found != sums.end(), "an import loses samples");
    if (found != sums.end()) sums.erase(found);
    std::uint64_t sum = 0;
    for (std::uint32_t node = 0; node < stacks.nodes().size(); ++node) {
      sum += stacks.samples(node, value);
    }
    samples.push_back(sum);
  }
  for (const std::uint64_t sum : sums) {
    require(std::ranges::find(samples, sum) != samples.end(), "an import makes samples up");
  }
}

void import(const std::uint8_t* data, std::size_t size) {
  SampleBytes bytes(wire::bytes_in_memory("input", {data, data + size}));
  const Result<SampledStacks> stacks =
      read_samples(bytes, {{{"ExecutionSample", 109}}, true}, FrameReading::kAll);
  if (!stacks.ok()) return;
  const Result<report::ReportModel> model = imported_report(*stacks, "input");
  if (!model.ok()) {
    require(model.message().find('\n') == std::string::npos, "the message has several lines");
    return;
  }
  require(check_invariants(*model).ok(), "an imported report breaks its invariants");
  require_all_samples(*stacks, *model);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  SampleBytes bytes(wire::bytes_in_memory("input", {data, data + size}));
  const Result<SampledStacks> stacks = read_samples(bytes, {{{"ExecutionSample", 109}}, true});
  import(data, size);
  if (!stacks.ok()) {
    require(stacks.message().find('\n') == std::string::npos, "the message has several lines");
    return 0;
  }
  for (std::size_t value = 0; value < stacks->values().size(); ++value) {
    report::ReportModel model = small_report();
    const JoinSums sums = join_samples(model, *stacks, value, "joined");
    require(sums.samples == stacks->values()[value].total, "samples appear from nowhere");
    require(sums.samples == sums.in_contexts + sums.outside + sums.unmatched, "samples are lost");
    // Behind it comes the number of samples, where that is known.
    const auto joined =
        std::ranges::find(model.measures, "joined", &report::ReportModel::Measure::name);
    require(joined != model.measures.end(), "the report lacks the samples");
    require(joined->lost == sums.unmatched, "the report says otherwise");
    require(check_invariants(model).ok(), "a joined report breaks its invariants");
  }
  return 0;
}
