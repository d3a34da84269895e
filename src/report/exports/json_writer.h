// Report -> JSON, schema copse.cct/2 (reports/copse.cct.schema.json), one column per line.
//
// Written straight from the columns, without a document in memory.
#pragma once

#include "report/model/report_model.h"
#include "report/model/stable_id_column.h"
#include "report/output.h"

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
