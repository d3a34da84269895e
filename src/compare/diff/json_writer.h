// Writes a comparison as JSON, schema copse.diff/2 (reports/copse.diff.schema.json).
#pragma once

#include <cstddef>

#include "compare/diff/comparison.h"
#include "compare/diff/findings.h"
#include "report/output.h"

namespace copse::diff {

inline constexpr const char* kDiffSchema = "copse.diff/2";

struct JsonOptions {
  std::size_t top = 1000;  // rows of each list
};
void write_json(const Comparison& comparison, const Findings& findings, const JsonOptions& options,
                report::Output& out);

}  // namespace copse::diff
