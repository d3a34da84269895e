// Columns of amounts in front of the names of a tree. Their widths are fixed before the first line
// is written.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/number_column.h"
#include "report/model/amount_column.h"
#include "report/model/measure_view.h"
#include "report/model/per_call.h"
#include "report/model/quantity.h"
#include "report/model/report_model.h"
#include "report/model/text_lines.h"
#include "report/text/text_formats.h"

namespace copse::report {

// Returns the characters of a line of a tree that its name may take, 24 at least.
std::size_t room_for_name(const std::string& columns, std::uint64_t depth, const std::string& place,
                          std::size_t width);
// Writes one line of a tree, `place` after the name. A name that is too long loses its beginning,
// down to 24 characters.
void put_tree_line(const std::string& columns, std::uint64_t depth, const std::string& name,
                   const std::string& place, std::size_t width, Output& out);
// Reason why lines at that depth are left out: "below 0.5 %", "deeper than 40 levels".
std::string why_pruned(std::uint64_t depth, const TreeOptions& options);

// Right-aligned cells, separated by one blank and followed by two.
class FixedColumns {
 public:
  void add(std::string heading, std::size_t least_width);
  std::string heading() const { return line(headings_); }
  std::string line(const std::vector<std::string>& cells) const;

 private:
  std::vector<std::string> headings_;
  std::vector<std::size_t> widths_;
};

// Exclusive and inclusive amounts with their share. Where calls were counted beside the measure:
// also calls, and the inclusive amount per call of exactly this context.
class TreeColumns {
 public:
  // Refers to its arguments. `inclusive`: inclusive values of `view`, by node. `width`: width of a
  // line; a narrow line has no room for exclusive amounts beside calls.
  TreeColumns(const ReportModel& model, const MeasureView& view, const NumberColumn& inclusive,
              std::size_t width);

  std::string heading() const { return columns_.heading(); }
  std::string of(std::size_t node);
  // Columns for nodes that are left out, together.
  std::string of_rest(std::uint64_t inclusive, std::uint64_t samples) const;
  // Samples behind the inclusive amount of a node; kExact where it was counted.
  std::uint64_t samples(std::size_t node) const;
  // Writes, below the tree, the meaning of the ratios, if there are any.
  void write_legend(TextLines& out) const;

 private:
  std::string cost(std::size_t node);
  std::size_t widest_cost() const;
  std::string line(const std::string& calls, const std::string& exclusive, std::uint64_t inclusive,
                   std::uint64_t samples, const std::string& cost) const;

  const MeasureView& view_;
  const NumberColumn& inclusive_;
  const ColumnScale scale_{view_.unit, view_.total};
  const std::optional<PerCall> per_call_;
  NumberColumn inclusive_samples_;
  bool has_exclusive_ = true;
  bool has_few_samples_ = false;  // a written cost has few samples
  FixedColumns columns_;
};

}  // namespace copse::report
