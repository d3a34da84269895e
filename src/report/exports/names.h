// Names of methods, files and units in the formats of other tools.
#pragma once

#include <string>
#include <string_view>

#include "report/model/quantity.h"
#include "report/model/report_model.h"

namespace copse::report {

// Name for amounts outside any context: those of ROOT and of the nodes for threads (--by-thread).
inline constexpr std::string_view kOutsideContexts = "(no recorded caller)";

// "pkg.Class.method(ILjava/lang/String;)V"
std::string system_name(const ReportModel::Methods& methods, std::int32_t method);
// "pkg/Outer.java", relative to a source folder; "" when the file is unknown.
std::string source_path(const ReportModel::Methods& methods, std::int32_t method);
// "nanoseconds", "bytes", "count"
std::string_view unit_name(Unit unit);

// Converts ISO 8601 in UTC to nanoseconds since 1970; 0 means unknown.
std::uint64_t nanoseconds_of(const std::string& time);
// Converts nanoseconds since 1970 to ISO 8601 in UTC, to the second.
std::string time_of_nanoseconds(std::uint64_t nanoseconds);

}  // namespace copse::report
