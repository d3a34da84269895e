// The call graph of an earlier run, in the method ids and call site ordinals of a trace or in its
// own.
#pragma once

#include <vector>

#include "base/program_names.h"
#include "base/status.h"
#include "encoders/call_graph.h"
#include "report/report_model.h"

namespace copse {

// Edges with their calls, in order of the report's nodes. Methods are matched by class, name,
// descriptor and loader, call sites by bytecode index. What the trace does not have gets ids behind
// the trace's: a static analysis, too, sees code that is never run. An error when ids run out.
Result<encoders::CallGraph> graph_of_report(const ReportModel& report,
                                            const std::vector<MethodName>& methods);

struct ReportGraph {
  encoders::CallGraph graph;
  std::vector<MethodId> methods;   // by the report's method
  std::vector<SiteOrdinal> sites;  // by the report's call site
};
// The same for those who know no names yet: with the ids that it gave out.
Result<ReportGraph> numbered_graph_of_report(const ReportModel& report);

}  // namespace copse
