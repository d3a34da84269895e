// Writes a comparison as text, JSON and Markdown, and as the report that its page shows.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "compare/diff/comparison.h"
#include "compare/diff/findings.h"
#include "report/model/output.h"
#include "report/model/report_model.h"

namespace copse::diff {

// The summary for a reviewer.
struct TextOptions {
  std::size_t top = 10;     // rows of each list
  std::size_t width = 100;  // of a line
};
void write_text(const Comparison& comparison, const Findings& findings, const TextOptions& options,
                report::Output& out);

// Writes a comparison as JSON, schema copse.diff/2 (reports/copse.diff.schema.json).
inline constexpr const char* kDiffSchema = "copse.diff/2";

struct JsonOptions {
  std::size_t top = 1000;  // rows of each list
};
void write_json(const Comparison& comparison, const Findings& findings, const JsonOptions& options,
                report::Output& out);

// Writes a comparison as Markdown for the reviewer of a change: ten lines that build servers show beside it.
//
//   calls 5,004 → 205,007 (+200,003, +3,997 %), contexts 9 → 12: `old.json` against `new.json`
//
//   - **broken** `calls(Dao.query) > +0`: `1,000 in old.json, 101,000 in new.json: +100,000`
//   - **+200,000 calls** more, 1,000 → 101,000: `Dao.query <- Handler.get:4 <- Shop.main:6`
//
// All text of the profiled program, of file names and of rules is in code spans, where Markdown and HTML have no
// effect, and names or numbers do not turn into links.

// Returns the text as a code span, with as many backticks around it as its own need; printable.
std::string code_span(std::string_view text);

// `top`: number of changes; without it the changes that fit into ten lines, and one at least.
void write_markdown(const Comparison& comparison, const Findings& findings,
                    std::optional<std::size_t> top, report::Output& out);

// Makes the report that the page shows for a comparison: both trees, with OLD's values as measures
// beside NEW's. Shown by the same measure as `comparison.both`. Moves the columns.
report::ReportModel page_model(Comparison comparison);

}  // namespace copse::diff
