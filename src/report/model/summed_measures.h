// Measures that are the sum of others.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "report/model/program_tables.h"

namespace copse::report {

// Puts one of this name before the first of the measures `before`: the sum of those of the `parts`
// that are there, which are in one unit. None are, or none of the others: nothing is put.
void insert_sum(std::vector<ProgramTables::Measure>& measures, std::string name,
                std::span<const std::string_view> parts, std::span<const std::string_view> before);

}  // namespace copse::report
