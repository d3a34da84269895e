// Report -> JSON, schema copse.cct/2 (reports/copse.cct.schema.json), one column per line.
//
// Written straight from the columns, without a document in memory.
#pragma once

#include "report/output.h"
#include "report/report_model.h"
#include "report/stable_id_column.h"

namespace copse::report {

enum class JsonEmbedding {
  kFile,
  kHtmlScript,  // also escapes '<', so that no name can end a script element
};

// `ids`: of the nodes; null for none.
void write_json(const ReportModel& model, Output& out,
                JsonEmbedding embedding = JsonEmbedding::kFile,
                const StableIdColumn* ids = nullptr);

}  // namespace copse::report
