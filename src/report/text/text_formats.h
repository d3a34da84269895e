// The report as text, by the shown measure (measure_view.h). docs/exports.md shows each form.
//
// A line names the call site in its caller: "A.f:12" is f at line 12. In a tree, a node's site
// therefore belongs to the frame above it.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "report/model/measure_view.h"
#include "report/model/output.h"
#include "report/model/report_model.h"
#include "report/model/stable_id_column.h"

namespace copse::report {

// Texts found in these forms only: the start of a summary's proof, the end of a tree's first line.
inline constexpr std::string_view kSummaryProof = "proof: ";
inline constexpr std::string_view kTreeHeading =
    "context (@N: called at line N of the frame above)";
inline constexpr std::string_view kIdHeading = ", stable id";  // follows kTreeHeading, with ids
inline constexpr std::string_view kCallersHeading = "context (@N: calls the frame above at line N)";

// Totals with their proof, threads, hot methods and contexts, skipped classes and methods.
struct SummaryOptions {
  std::size_t top = 10;     // rows of each ranking
  std::size_t width = 100;  // of a line
  // The report is the result of calls_into() (part/cut.h): ranks callers instead of hot
  // methods.
  bool callers = false;
  // Also ranks hot methods by calls, where another measure is shown and calls were counted.
  bool calls_too = true;
  LeftOut left_out{};
};
void write_summary(const ReportModel& model, const SummaryOptions& options, Output& out);

// The call tree, indented, children by inclusive values. A line in their place counts pruned nodes.
struct TreeOptions {
  double min_percent = 0.5;  // of the total, inclusive; smaller subtrees are pruned
  std::uint64_t depth = 40;  // levels shown
  // Width of a line; a longer name loses its beginning, down to 24 characters.
  std::size_t width = std::numeric_limits<std::size_t>::max();
  // Ids whose first digits end each line; nullptr for none. Not for callers.
  const StableIdColumn* ids = nullptr;
  LeftOut left_out{};  // not for callers
};
void write_tree(const ReportModel& model, const TreeOptions& options, Output& out);
// Writes the tree upside down: methods with an amount, and below each its callers (callers_tree.h).
void write_callers_tree(const ReportModel& model, const TreeOptions& options, Output& out);

// One line per context, "frame;frame;frame VALUE", outermost frame first, exclusive values: the
// input of flame graph tools. Values are integers in the measure's own unit (calls, ns, bytes) and
// add up to its total.
struct CollapsedOptions {
  // Deeper values count for their ancestor at this depth, which keeps the sum.
  std::uint64_t depth = std::numeric_limits<std::uint64_t>::max();
  // Innermost frame first; lines may then repeat the same frames.
  bool callers = false;
  // Adds the line of the call to callers: "A.f:12".
  bool lines = false;
};
void write_collapsed(const ReportModel& model, const CollapsedOptions& options, Output& out);
// Frames of single nodes as in write_collapsed(). REQUIRES: the report outlives this object. Cost:
// linear in the node's depth, after a pass over the methods.
class CollapsedPaths {
 public:
  explicit CollapsedPaths(const ReportModel& model);
  std::string of(std::size_t row) const;

 private:
  const ReportModel& model_;
  std::vector<std::string> frames_;  // by method
};

}  // namespace copse::report
