// JSON -> report, the reverse of json_writer.h, for files of any size and any origin.
//
// Tolerant: keys it does not know are skipped, so files of later versions with more columns still
// read. Strict: what it knows must have the right type and satisfy check_invariants(). A comparison
// is no report: it is refused.
#pragma once

#include <string>
#include <string_view>

#include "base/status.h"
#include "report/model/report_model.h"

namespace copse::report {

// The message says what is wrong and near which byte: "FILE: near byte 1234: nodes.calls: ...".
Result<ReportModel> read_json_file(const std::string& path);
// The same from memory; `name` stands for the file in messages.
Result<ReportModel> read_json(std::string_view text, const std::string& name);

}  // namespace copse::report
