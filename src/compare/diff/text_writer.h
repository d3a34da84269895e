// Writes a comparison as text: the summary for a reviewer.
#pragma once

#include <cstddef>

#include "compare/diff/comparison.h"
#include "compare/diff/findings.h"
#include "report/output.h"

namespace copse::diff {

struct TextOptions {
  std::size_t top = 10;     // rows of each list
  std::size_t width = 100;  // of a line
};
void write_text(const Comparison& comparison, const Findings& findings, const TextOptions& options,
                report::Output& out);

}  // namespace copse::diff
