// Cuts a report to a part: the one that options choose by globs of methods, and the cuts of each option.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/status.h"
#include "report/model/report_model.h"
#include "report/part/method_choice.h"

namespace copse::report {

// Names of each option, alternatives where there are several: globs of methods, or "@" and a context's id. Empty means
// that the option was not given.
struct PartOptions {
  std::vector<std::string> focus;          // focused()
  std::vector<std::string> root;           // rooted()
  std::vector<std::string> callers;        // calls_into()
  std::vector<std::string> threads = {};   // of --by-thread, without brackets: of_threads()
  std::vector<std::string> hide = {};      // without_frames()
  std::vector<std::string> subtract = {};  // subtracted()
  std::vector<std::string> fold = {};      // folded(); each is a frame of its own
  FindContext find_context = nullptr;      // nullptr: "@" begins a glob like any other
};

// Checks the combination: a focus goes with either of the others, a root not with callers.
Status check_part(const PartOptions& options);

// Cuts to the threads first, then to the focus; then subtracts, hides, folds; then cuts to the root or the callers.
// Returns an error for a name without a match, "--focus Log: matched nothing; ..."; the report may be partly cut by then.
Status cut(ReportModel& model, const PartOptions& options);

// Keeps the contexts with a chosen method on their path from ROOT. Callers above the outermost one
// stay, with no amounts of their own. Cost: linear.
ReportModel focused(const ReportModel& model, const MethodChoice& choice);
// The same for chosen contexts, by row of `nodes`. `what`, "The context Log.log <- Main.main:12",
// begins the note that describes the part.
ReportModel focused_on(const ReportModel& model, const std::vector<bool>& is_chosen,
                       const std::string& what);

// Returns the subtrees of the chosen methods' outermost occurrences, merged by method, with one
// root for each such method. A chosen method called below a chosen method, itself included, stays
// in the outer subtree, so nothing counts twice. Cost: a pass over `model`, and O(n log n) for n
// nodes of the result; temporarily 4 bytes per node of `model` and about 100 per node of the
// result.
ReportModel rooted(const ReportModel& model, const MethodChoice& choice);

// Returns the contexts of the chosen methods with their paths from ROOT, without callees. A context
// of a chosen method keeps its exact calls. Of a measure, an outermost occurrence has its inclusive
// amount and an inner one nothing, so nothing counts twice. Callers have no amounts of their own.
// Cost: linear.
ReportModel calls_into(const ReportModel& model, const MethodChoice& choice);

// Returns the report without the contexts of the chosen methods: what they call is called by their nearest callers that
// stay, which also get their amounts, but for their calls. Children of ROOT stay: no context could get their amounts.
ReportModel without_frames(const ReportModel& model, const MethodChoice& choice);

// Returns the report with `frame`, a row of its methods, in the place of the chosen methods. Where one of them calls
// another, they are one context, with all their amounts.
ReportModel folded(const ReportModel& model, const MethodChoice& choice, std::int32_t frame);

// Returns the report without the chosen contexts and what they call. Cost: linear.
ReportModel subtracted(const ReportModel& model, const MethodChoice& choice);

// Keeps the calls of a kept slice, in their contexts below ROOT. Callers of the slice stay, with no calls. The part has
// neither measures nor threads; its time is that of the slice. `which`: an id, or a word of find_slice().
Result<ReportModel> sliced(const ReportModel& model, const std::string& which);

}  // namespace copse::report
