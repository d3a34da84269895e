// Contexts by thread (--by-thread): children of ROOT that stand for threads or groups of them.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

#include "report/model/report_model.h"

namespace copse::report {

// Returns the name, without brackets, of the thread or group that a child of ROOT stands for;
// std::nullopt for a method.
std::optional<std::string_view> thread_of(const ReportModel& model, std::size_t row);

// Returns the rows of all threads, ascending; empty for a report without --by-thread. Cost: linear
// in the report.
std::vector<std::size_t> thread_rows(const ReportModel& model);

}  // namespace copse::report
