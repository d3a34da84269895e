// Builds a report from a context tree and names.
//
// Rows are in pre-order, children ordered by (class, name, descriptor, loader, line, bci), methods
// and sites in the same order. Rows do not depend on the order of class loading or of workers:
// equal runs give equal rows. Lists only methods and sites that occur in a node. Methods without a
// visible difference (the same class loaded by two loaders of one class) share a row. Contexts that
// become equal thereby share a node with the sum of their calls.
#pragma once

#include "base/status.h"
#include "cct/context_tree.h"
#include "report/model/program_tables.h"
#include "report/model/report_model.h"

namespace copse::report {

// REQUIRES: no thread writes the tree. Cost: O(n log n) for n nodes, no recursion; 12 bytes per node
// beside the model. Returns an error for a tree with more rows than the report's 31-bit indices
// allow. Ids without a name get a placeholder and a note.
Result<ReportModel> build_model(const cct::ContextTree& tree, ProgramTables tables);

}  // namespace copse::report
