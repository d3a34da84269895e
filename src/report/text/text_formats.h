// The report as text, by the measure that it is shown by (measure_view.h). docs/formats.md shows each
// form.
//
// A line names the call site in its caller: "A.f:12" is f while it executes line 12. In a tree a
// node's site therefore belongs to the frame above it.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "report/model/report_model.h"
#include "report/model/stable_id_column.h"
#include "report/output.h"

namespace copse::report {

// What these forms alone have: where a summary's proof begins, how a tree's first line ends.
inline constexpr std::string_view kSummaryProof = "proof: ";
inline constexpr std::string_view kTreeHeading =
    "context (@N: called at line N of the frame above)";
inline constexpr std::string_view kIdHeading = ", stable id";  // behind that, with ids
inline constexpr std::string_view kCallersHeading = "context (@N: calls the frame above at line N)";
// A frame of callers that is none.
inline constexpr std::string_view kNoRecordedCaller = "(no recorded caller)";

// Totals with their proof, threads, hot methods and contexts, what was skipped.
struct SummaryOptions {
  std::size_t top = 10;     // rows of each ranking
  std::size_t width = 100;  // of a line
  // Of contexts that calls_into() has chosen (part/callers.h): who calls them instead of hot methods.
  bool callers = false;
  // Where something else is shown and calls were counted: hot methods by calls too.
  bool calls_too = true;
};
void write_summary(const ReportModel& model, const SummaryOptions& options, Output& out);

// The call tree, children by inclusive values, indented. What is pruned is counted in its place.
struct TreeOptions {
  double min_percent = 0.5;  // of the total, inclusive; smaller subtrees are pruned
  std::uint64_t depth = 40;  // levels shown
  // Of a line; names lose their beginning, but for 24 characters.
  std::size_t width = std::numeric_limits<std::size_t>::max();
  // Their first digits stand at the ends of lines; null: none. Not of callers.
  const StableIdColumn* ids = nullptr;
};
void write_tree(const ReportModel& model, const TreeOptions& options, Output& out);
// The same upside down: methods in which something was counted, and below each its callers
// (callers_tree.h).
void write_callers_tree(const ReportModel& model, const TreeOptions& options, Output& out);

// One line per context, "frame;frame;frame VALUE" with exclusive values, outermost frame first: the
// input of flame graph tools. Values are plain integers, in the measure's own unit (calls, ns,
// bytes), and add up to its total.
struct CollapsedOptions {
  // Deeper values count for their ancestor at this depth, so that the sum stays the same.
  std::uint64_t depth = std::numeric_limits<std::uint64_t>::max();
  // Innermost frame first; lines of equal frames may repeat then.
  bool callers = false;
  // Callers have the line of their call behind their name: "A.f:12".
  bool lines = false;
};
void write_collapsed(const ReportModel& model, const CollapsedOptions& options, Output& out);
// The frames of single nodes as their lines there have them; outlived by its report. Cost: linear in
// the node's depth, after a pass over the methods.
class CollapsedPaths {
 public:
  explicit CollapsedPaths(const ReportModel& model);
  std::string of(std::size_t row) const;

 private:
  const ReportModel& model_;
  std::vector<std::string> frames_;  // by method
};

}  // namespace copse::report
