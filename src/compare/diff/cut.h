// Cuts a comparison to a part of its contexts, for --context, --focus and related options of copse
// diff.
//
// Cuts after names were matched, so the part has the same contexts on both sides.
#pragma once

#include <string>

#include "base/status.h"
#include "compare/diff/comparison.h"
#include "report/part/cut.h"

namespace copse::diff {

struct CutOptions {
  std::string context;  // digits of a stable id by the comparison's rules; "" means all contexts
  report::PartOptions part;  // `callers` and `find_context` are not used

  bool is_whole() const {
    return context.empty() && part.focus.empty() && part.root.empty() && part.threads.empty() &&
           part.subtract.empty() && part.hide.empty() && part.fold.empty();
  }
};

// Adds each context of NEW that OLD may have evicted to the evicted contexts of its nearest caller in OLD: those below a
// caller with evicted contexts in OLD that OLD does not have. Both reports then have sums of the same contexts.
// REQUIRES: OLD evicted whole subtrees, as report::hottest() does.
void evict_alike(Comparison& comparison);

// Takes the amounts of the JVM's own threads and of waits for work out of both sides, as rankings of a report do
// (report/model/measure_view.h). Before a cut, wholes are without them, too.
void leave_out(Comparison& comparison);

// Cuts to the context, then as report::cut() does. A context is in a report's part when the report
// has it, or a context below it, among those kept. Each side's own facts become those of its part,
// as in report/part/part_model.h; Comparison::part describes the cut. Returns errors of
// report::cut() and identity::find_context(); the comparison is unusable after an error.
Status cut(Comparison& comparison, const CutOptions& options);

}  // namespace copse::diff
