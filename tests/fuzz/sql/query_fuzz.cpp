// Any text as a query: an answer or one line of complaint, soon, and the report stays what it is.
#include <chrono>
#include <cstdint>
#include <string>

#include "support/fuzz_require.h"
#include "support/query_results.h"
#include "support/small_report.h"

using namespace copse;

namespace {

report::ReportModel small_report() {
  testing::SmallReport report;
  const std::int32_t main = report.method("a.B", "main");
  const std::int32_t run = report.method("a.B", "run", "(I)V");
  const std::int32_t top = report.node(0, main);
  report.node(report.node(top, run, 5, 1, 7), run, 6, 2, 3);
  report.node(top, run, 8, 3, 1);
  report.model.measures = {{"ns", "ns", 0, {0, 1, 2, 3, 4}}};
  return report.model;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  testing::AskedReports asked({small_report()}, {std::chrono::milliseconds(200), 16 << 20});
  const std::string sql(reinterpret_cast<const char*>(data), size);
  const std::string answer = asked.ask(sql, sql::ResultFormat::kJson);
  if (answer.starts_with("copse: ")) {
    require(answer.find('\n') == std::string::npos, "the message has several lines");
  }
  require(asked.ask("SELECT count(*), sum(calls), sum(ns) FROM contexts") == "4,12,10\n",
          "a query changed the report");
  return 0;
}
