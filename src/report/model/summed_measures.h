// Adds measures that are sums of others.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "report/model/program_tables.h"

namespace copse::report {

// Inserts a measure `name` before the first of the measures `before`: the sum of the existing
// `parts`, all in one unit. Does nothing without an existing part or without one of `before`.
void insert_sum(std::vector<ProgramTables::Measure>& measures, std::string name,
                std::span<const std::string_view> parts, std::span<const std::string_view> before);

}  // namespace copse::report
