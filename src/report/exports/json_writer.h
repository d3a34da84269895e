// Writes a report as JSON of schema copse.cct/2 (reports/copse.cct.schema.json), one column per
// line.
//
// Writes straight from the columns, without a document in memory.
#pragma once

#include "report/model/output.h"
#include "report/model/report_model.h"
#include "report/model/stable_id_column.h"

namespace copse::report {

enum class JsonEmbedding {
  kFile,
  // For the page: has the names that it shows as methods.shown, and escapes '<', which keeps names from ending a
  // script element.
  kHtmlScript,
};

// `ids`: stable ids of the nodes; nullptr writes none.
void write_json(const ReportModel& model, Output& out,
                JsonEmbedding embedding = JsonEmbedding::kFile,
                const StableIdColumn* ids = nullptr);

}  // namespace copse::report
