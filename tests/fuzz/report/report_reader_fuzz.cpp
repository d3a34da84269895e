// Any bytes as a report: either one line of complaint, or a model that keeps its promises through
// every format.
#include <cstdint>
#include <string_view>

#include "report/exports/json_writer.h"
#include "report/model/display_names.h"
#include "report/model/json_reader.h"
#include "report/model/model_check.h"
#include "report/part/cut.h"
#include "report/text/text_formats.h"
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

void write_texts(const ReportModel& model) {
  StringOutput out;
  write_summary(model, {}, out);
  write_tree(model, {}, out);
  write_collapsed(model, {}, out);
  require(out.finish().ok(), "a format fails");
}

// By the name of its first method, which a glob need not match: names can hold stars.
void cut_to_its_first_method(const ReportModel& model) {
  if (model.methods.name.empty()) return;
  const std::string name = display_name(model.methods.class_name[0], model.methods.name[0]);
  for (const PartOptions& options :
       {PartOptions{{name}, {}, {}}, {{}, {name}, {}}, {{}, {}, {name}}}) {
    ReportModel part = model;
    if (const Status status = cut(part, options); !status.ok()) continue;
    require(check_invariants(part).ok(), "a part breaks a report's invariants");
    require(part.totals.calls <= model.totals.calls, "a part has more calls than the whole");
    write_texts(part);
    if (options.callers.empty()) continue;
    StringOutput out;
    SummaryOptions summary;
    CollapsedOptions collapsed;
    summary.callers = collapsed.callers = true;
    write_summary(part, summary, out);
    write_callers_tree(part, {}, out);
    write_collapsed(part, collapsed, out);
    require(out.finish().ok(), "a format of callers fails");
  }
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
  write_texts(*model);
  cut_to_its_first_method(*model);
  return 0;
}
