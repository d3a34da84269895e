// What is derived from a report's columns, of calls or of another measure: inclusive values, methods
// and contexts ranked.
//
// Exclusive: of exactly this context, or of a method, summed over its contexts. Inclusive: of the
// subtree of a context, itself included, so everything that would not be there without it; for a
// method each subtree counts once, at the outermost occurrence of the method on a path, so that
// recursion does not inflate it.
//
// All functions are linear in the number of nodes, without recursion.
#pragma once

#include <cstdint>
#include <vector>

#include "report/model/report_model.h"

namespace copse::report {

// Per node: what is in its subtree, itself included. Row 0 is the total.
std::vector<std::uint64_t> inclusive_values(const ReportModel::Nodes& nodes,
                                            const std::vector<std::uint64_t>& values);

// The same of some nodes alone, in the order of `rows`, without a column of all: linear in the nodes, and
// memory for the rows.
std::vector<std::uint64_t> inclusive_at(const ReportModel::Nodes& nodes,
                                        const std::vector<std::uint64_t>& values,
                                        const std::vector<std::int32_t>& rows);

// Per node: rows in its subtree, itself included, so that the next sibling of row r, if any, is
// r + subtree_rows[r].
std::vector<std::uint32_t> subtree_rows(const ReportModel::Nodes& nodes);

struct MethodStats {
  std::int32_t method = 0;  // index into methods
  std::uint64_t exclusive = 0;
  std::uint64_t inclusive = 0;
  std::uint64_t contexts = 0;  // nodes with this method and a value
};
// One per method, in the order of the methods.
std::vector<MethodStats> method_stats(const ReportModel& model,
                                      const std::vector<std::uint64_t>& values,
                                      const std::vector<std::uint64_t>& inclusive);
// The same, without a column of inclusive values: memory for one path.
std::vector<MethodStats> method_stats(const ReportModel& model,
                                      const std::vector<std::uint64_t>& values);

// How many nodes have any of it: contexts in which something was counted. What stands for a class or
// a thread has no calls, and a node that others hang below may have nothing of a measure.
std::uint64_t contexts_with(const std::vector<std::uint64_t>& values);
// How many methods have any of it in their nodes.
std::uint64_t methods_with(const ReportModel& model, const std::vector<std::uint64_t>& values);

// Rows of at most `count` nodes, those with the largest values, largest first; equal ones in row
// order, those of 0 never.
std::vector<std::int32_t> hottest_contexts(const std::vector<std::uint64_t>& values,
                                           std::size_t count);

}  // namespace copse::report
