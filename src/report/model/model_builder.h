// Context tree + names -> report.
//
// Rows come out in pre-order, children ordered by (class, name, descriptor, loader, line, bci), and
// methods and sites in the same order, so that nothing depends on the order in which classes were
// loaded or workers finished: equal runs give equal rows.
// Listed are only methods and sites that occur in a node. Methods that differ in nothing a reader
// can see (the same class loaded by two loaders of one class) are one row, and contexts that become
// equal by it are one node with the sum of their calls.
#pragma once

#include "base/status.h"
#include "cct/context_tree.h"
#include "report/model/program_tables.h"
#include "report/model/report_model.h"

namespace copse::report {

// Called by: any one thread, while nobody writes the tree. Cost: O(n log n) for n nodes, no
// recursion; 8 bytes per node beside the model. A tree that is wider than the report's 31-bit
// indices is an error; ids without a name get a placeholder and a note.
Result<ReportModel> build_model(const cct::ContextTree& tree, ProgramTables tables);

}  // namespace copse::report
