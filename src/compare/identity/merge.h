// Reports of several runs as one: the sum of each context, found by the keys behind stable ids
// (method_key.h), so that no collision of hashes can join two contexts.
//
// The result depends neither on the order of the parts nor on which were merged first, to the last
// byte. So what parts say differently becomes what is true of all: a value that differs is left out
// (the command, an option, a line), a list becomes the sorted union. docs/formats.md has the table.
//
// Cost: linear but for the sorting of siblings; nothing recurses. Memory: one part, the sum so far
// and the new sum, 8 bytes a context beside them.
#pragma once

#include <optional>
#include <string>

#include "base/status.h"
#include "compare/identity/id_rules.h"
#include "report/model/report_model.h"

namespace copse::identity {

// One after the other, so that no more than one part is in memory.
class Merge {
 public:
  explicit Merge(const IdRules& rules) : rules_(rules) {}

  // `name` stands for the part in the result. After an error, "cpu_ns: is in ns here and in us before",
  // the sum is what it was.
  Status add(report::ReportModel part, const std::string& name);

  // Of one part: the part, with contexts that have one id as one. Called once, after the last add().
  report::ReportModel take();

 private:
  const IdRules rules_;
  std::optional<report::ReportModel> sum_;
};

}  // namespace copse::identity
