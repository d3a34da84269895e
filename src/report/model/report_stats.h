// Derives inclusive values and rankings of methods and contexts from a report's columns, for calls
// or another measure.
//
// Exclusive: the amount of exactly this context; for a method, the sum over its contexts.
// Inclusive: the amount of a context's subtree, the context included. For a method, each subtree
// counts once, at the outermost occurrence of the method on a path, so recursion does not inflate
// it.
//
// All functions are linear in the number of nodes, without recursion.
#pragma once

#include <cstdint>
#include <vector>

#include "base/number_column.h"
#include "report/model/report_model.h"

namespace copse::report {

// Returns, per node, the amount of its subtree, itself included. Row 0 is the total.
NumberColumn inclusive_values(const ReportModel::Nodes& nodes, const NumberColumn& values);

// Returns the inclusive values of `rows`, in their order. Cost: linear in the nodes; memory for the
// rows only.
NumberColumn inclusive_at(const ReportModel::Nodes& nodes, const NumberColumn& values,
                          const std::vector<std::int32_t>& rows);

// Returns, per node, the number of rows of its subtree, itself included. The next sibling of row r,
// if any, is r + subtree_rows[r].
std::vector<std::uint32_t> subtree_rows(const ReportModel::Nodes& nodes);

struct MethodStats {
  std::int32_t method = 0;  // index into methods
  std::uint64_t exclusive = 0;
  std::uint64_t inclusive = 0;
  std::uint64_t contexts = 0;  // nodes with this method and a nonzero value
};
// Returns one element per method, in the order of the methods.
std::vector<MethodStats> method_stats(const ReportModel& model, const NumberColumn& values,
                                      const NumberColumn& inclusive);
// The same without a column of inclusive values: memory for one path.
std::vector<MethodStats> method_stats(const ReportModel& model, const NumberColumn& values);

// Returns the number of nodes with a nonzero value. Nodes for classes or threads have no calls, and
// an inner node may have nothing of a measure.
std::uint64_t contexts_with(const NumberColumn& values);
// Returns the number of methods with a nonzero value in a node.
std::uint64_t methods_with(const ReportModel& model, const NumberColumn& values);

// Returns the rows of at most `count` nodes with the largest nonzero values, largest first; equal
// values in row order.
std::vector<std::int32_t> hottest_contexts(const NumberColumn& values, std::size_t count);

}  // namespace copse::report
