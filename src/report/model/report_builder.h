// Builds the tables and the tree of a report. Every report is built here, whatever its contexts come from: a context
// tree of the agent, other reports, another profiler's stacks, or rows of a database.
//
// The order of all rows is the one that report_model.h prescribes, so equal programs give equal rows. None of the
// functions recurses.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "base/number_column.h"
#include "report/model/report_model.h"

namespace copse::report {

// Contexts to lay out, in any order, numbered from 0.
class Contexts {
 public:
  static constexpr std::uint32_t kLeftOut = std::numeric_limits<std::uint32_t>::max();
  struct Name {
    std::int32_t method;  // row of the report's methods; -1 comes first
    std::int32_t site;    // row of the report's sites; -1 means none
  };

  virtual ~Contexts() = default;
  virtual std::uint32_t count() const = 0;
  // ROOT is its own parent; several roots become one. kLeftOut leaves out the context and its subtree.
  virtual std::uint32_t parent(std::uint32_t context) const = 0;
  // Not called for a root.
  virtual Name name(std::uint32_t context) const = 0;
};

struct Rows {
  ReportModel::Nodes nodes;  // without calls
  std::vector<std::int32_t>
      row_of;  // by context; -1 for one that is left out, or in a circle of parents
};

// Lays out the contexts. Siblings with equal names become one row, whose children are those of all of them.
// REQUIRES: there is a root, and rows fit 31 bits. Cost: O(n log n); 12 bytes per context and 4 per row while it runs,
// 4 and 12 in the result.
Rows rows_of(const Contexts& contexts);

// Adds each context's value to the sum of its row. `row_of` may be longer than `values` and the reverse; values
// without a row are dropped. REQUIRES: sums fit 64 bits.
void add_by_row(const NumberColumn& values, std::span<const std::int32_t> row_of,
                NumberColumn& sums);
// Returns the sums for that number of rows.
NumberColumn sums_by_row(const NumberColumn& values, std::span<const std::int32_t> row_of,
                         std::size_t rows);
// Moves threads to the rows of their nodes.
void move_threads(std::span<const std::int32_t> row_of, std::vector<ReportModel::Thread>& threads);

// Appends a method; fields that are not named are "".
struct MethodRow {
  std::string class_name, name, descriptor, source, loader, stable_class;
};
std::int32_t add_method(MethodRow method, ReportModel::Methods& methods);
// Appends a call site.
std::int32_t add_site(std::int32_t method, std::int32_t line, std::int32_t bci,
                      ReportModel::Sites& sites);

// Former row -> present row.
struct NewNames {
  std::vector<std::int32_t> method, site;
};
// Sorts methods and sites, and makes equal ones one row. Methods are equal in all but their source; one whose
// sources differ has none.
NewNames sort_names(ReportModel::Methods& methods, ReportModel::Sites& sites);
// Replaces each row >= 0.
void renumber(std::span<const std::int32_t> now, std::vector<std::int32_t>& rows);

// Sets the totals that follow from the nodes: calls, contexts, depth, and calls of evicted contexts.
void measure_tree(ReportModel& model);

}  // namespace copse::report
