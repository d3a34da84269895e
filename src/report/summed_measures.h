// Measures that are the sum of others.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "report/program_tables.h"

namespace copse::report {

// Puts one of this name before the first of the `parts`, which are names of measures in one unit:
// the sum of those that are there. None are: nothing is put.
void insert_sum(std::vector<ProgramTables::Measure>& measures, std::string name,
                std::span<const std::string_view> parts);

}  // namespace copse::report
