// Merges methods and call sites of several reports into one table, in the usual order of reports.
#pragma once

#include <cstdint>
#include <vector>

#include "compare/identity/id_rules.h"
#include "report/model/report_model.h"

namespace copse::identity {

// A name that differs between parts becomes the normalised one, a source file or loader "", a line
// or bytecode index -1.
struct MergedNames {
  report::ReportModel::Methods methods;
  report::ReportModel::Sites sites;
  // By part: row of the part -> row of this table; -1 for sites that do not count.
  std::vector<std::vector<std::int32_t>> method_of, site_of;
};

MergedNames merged_names(const std::vector<const report::ReportModel*>& parts,
                         const IdRules& rules);

}  // namespace copse::identity
