// What the formats of other tools call methods, files and units.
#pragma once

#include <string>
#include <string_view>

#include "report/model/report_model.h"
#include "report/text/quantity.h"

namespace copse::report {

// What is counted outside any context: of ROOT, and of threads by which contexts are told apart.
inline constexpr std::string_view kOutsideContexts = "(no recorded caller)";

// pkg.Class.method
std::string method_name(const ReportModel::Methods& methods, std::int32_t method);
// "pkg/Outer.java", as below a folder of sources; "" when the file is not known.
std::string source_path(const ReportModel::Methods& methods, std::int32_t method);
// "nanoseconds", "bytes", "count"
std::string_view unit_name(Unit unit);

// Nanoseconds since 1970 of ISO 8601 in UTC; 0: not known.
std::uint64_t nanoseconds_of(const std::string& time);
// The other way, to the second.
std::string time_of_nanoseconds(std::uint64_t nanoseconds);

}  // namespace copse::report
