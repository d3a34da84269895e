// Reads a report from JSON of any size and origin; the reverse of json_writer.h.
//
// Skips unknown keys, so files of later versions with more columns still read. Refuses known keys
// of the wrong type, reports that break check_invariants(), and comparisons.
#pragma once

#include <string>
#include <string_view>

#include "base/status.h"
#include "report/model/report_model.h"

namespace copse::report {

// The message has the problem and its byte offset: "FILE: near byte 1234: nodes.calls: ...".
Result<ReportModel> read_json_file(const std::string& path);
// Reads from memory; `name` is the file name in messages.
Result<ReportModel> read_json(std::string_view text, const std::string& name);

}  // namespace copse::report
