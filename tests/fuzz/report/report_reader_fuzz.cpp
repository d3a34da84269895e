// Any bytes as a report: either one line of complaint, or a model that keeps its promises through
// every format.
#include <cstdint>
#include <string_view>

#include "report/json_reader.h"
#include "report/json_writer.h"
#include "report/model_check.h"
#include "report/text_formats.h"
#include "support/fuzz_require.h"

using namespace copse;
using namespace copse::report;

namespace {

std::string json(const ReportModel& model) {
  StringOutput out;
  write_json(model, out);
  require(out.finish().ok(), "writing to memory fails");
  return out.text();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const Result<ReportModel> model = read_json(text, "input");
  if (!model.ok()) {
    require(model.message().find('\n') == std::string::npos, "the message has several lines");
    return 0;
  }
  require(check_invariants(*model).ok(), "an accepted report breaks its invariants");
  const std::string once = json(*model);
  const Result<ReportModel> again = read_json(once, "again");
  require(again.ok(), "a written report does not read back");
  require(json(*again) == once, "a report changes when written twice");
  StringOutput out;
  write_summary(*model, {}, out);
  write_tree(*model, {}, out);
  write_collapsed(*model, {}, out);
  require(out.finish().ok(), "a format fails");
  return 0;
}
