// Merges reports of several runs: sums each context, found by the keys behind stable ids
// (method_key.h), so hash collisions cannot join two contexts.
//
// The result is independent, to the last byte, of the order of the parts and of the order of
// merging. A value that differs between parts is left out (the command, an option, a line); a list
// becomes the sorted union. docs/report-schema.md has the table.
//
// Cost: linear except for sorting siblings; no recursion. Memory: one part, the sum so far and the
// new sum, and 8 bytes per context.
#pragma once

#include <optional>
#include <string>

#include "base/status.h"
#include "compare/identity/id_rules.h"
#include "report/model/report_model.h"

namespace copse::identity {

// Takes parts one after the other, so at most one part is in memory.
class Merge {
 public:
  explicit Merge(const IdRules& rules) : rules_(rules) {}

  // `name` is the name of the part in the result. After an error, "cpu_ns: is in ns here and in us
  // before", the sum is unchanged.
  Status add(report::ReportModel part, const std::string& name);

  // Returns the sum. A single part is returned with contexts of equal id merged. REQUIRES: called
  // once, after the last add().
  report::ReportModel take();

 private:
  const IdRules rules_;
  std::optional<report::ReportModel> sum_;
};

}  // namespace copse::identity
