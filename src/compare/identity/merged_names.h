// Methods and call sites of reports that are merged: one table for all, in the order of every report.
#pragma once

#include <cstdint>
#include <vector>

#include "compare/identity/id_rules.h"
#include "report/model/report_model.h"

namespace copse::identity {

// A name in which parts differ becomes the normalised one; a source file or loader "", a line or
// bytecode index -1.
struct MergedNames {
  report::ReportModel::Methods methods;
  report::ReportModel::Sites sites;
  // By part, row of the part -> row of these; of sites -1 where they do not count.
  std::vector<std::vector<std::int32_t>> method_of, site_of;
};

MergedNames merged_names(const std::vector<const report::ReportModel*>& parts,
                         const IdRules& rules);

}  // namespace copse::identity
