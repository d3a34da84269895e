// What is derived from a report's columns: inclusive counts, methods ranked, callers and callees.
//
//   exclusive  calls of exactly this context (nodes.calls), or of a method: summed over its
//   contexts inclusive  calls made in the subtree of a context, itself included: everything that
//   would not
//              have been called without it. For a method each subtree counts once, at the outermost
//              occurrence of the method on a path, so that recursion does not inflate it.
//
// All functions are linear in the number of nodes, without recursion.
#pragma once

#include <cstdint>
#include <vector>

#include "report/report_model.h"

namespace copse {

// Per node: calls in its subtree, itself included. Row 0 is the total.
std::vector<std::uint64_t> inclusive_calls(const ReportModel::Nodes& nodes);

// Per node: rows in its subtree, itself included, so that the next sibling of row r, if any, is
// r + subtree_rows[r].
std::vector<std::uint32_t> subtree_rows(const ReportModel::Nodes& nodes);

struct MethodStats {
  std::int32_t method = 0;  // index into methods
  std::uint64_t exclusive = 0;
  std::uint64_t inclusive = 0;
  std::uint64_t contexts = 0;  // nodes with this method
};
// One per method, in the order of the methods.
std::vector<MethodStats> method_stats(const ReportModel& model,
                                      const std::vector<std::uint64_t>& inclusive);

// Calls from one method to another, over all contexts. Caller -1: thread entries.
struct CallEdge {
  std::int32_t caller = -1;
  std::int32_t callee = 0;
  std::uint64_t calls = 0;
};
// Sorted by caller, then callee.
std::vector<CallEdge> call_edges(const ReportModel::Nodes& nodes);

// Rows of the `count` nodes with the most calls, most first; equal counts in row order.
std::vector<std::int32_t> hottest_contexts(const ReportModel::Nodes& nodes, std::size_t count);

}  // namespace copse
