// The tables of slices: kept slices, their contexts, and calls per slice.
#pragma once

#include <vector>

#include "sql/reports.h"
#include "sql/table.h"

namespace copse::sql {

// REQUIRES: `reports` outlives the tables.
void add_slice_tables(const Reports& reports, std::vector<Table>& tables);

}  // namespace copse::sql
