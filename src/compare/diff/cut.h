// A comparison cut to a part of its contexts: what copse diff shows with --context, --focus and the like.
//
// Cut is what both reports have in common, after code that moved was found again, so that the part is
// of the same contexts on both sides.
#pragma once

#include <string>

#include "base/status.h"
#include "compare/diff/comparison.h"
#include "report/part/cut.h"

namespace copse::diff {

struct CutOptions {
  std::string context;       // digits of a stable id by the comparison's rules; "": any
  report::PartOptions part;  // `callers` is none of them

  bool is_whole() const {
    return context.empty() && part.focus.empty() && part.root.empty() && part.threads.empty();
  }
};

// First to the context, then as report::cut() does. A context is in a report's part where something
// through the chosen ones is in that report. What each side says of itself is its part's then, as of a part of a
// report (report/part/part_model.h); Comparison::part says what was kept. After an error, that of
// report::cut() or identity::find_context(), the comparison is of no use.
Status cut(Comparison& comparison, const CutOptions& options);

}  // namespace copse::diff
