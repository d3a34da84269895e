// Contexts of a report for formats with one whole stack per context: pprof, OTLP.
//
// A stack is a list of locations, innermost first. A location is a method with a line: the line of
// the call for a caller, none for the innermost method. Location numbers start at 1. Contexts
// without amounts are left out. Nodes for threads are no locations. Encoding a stack takes one step
// per context, because contexts share the callers' end, plus the copy of its bytes. One thread at a
// time. Memory: the deepest stack, and a number for each location.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "base/flat_map.h"
#include "base/status.h"
#include "report/model/measure_view.h"
#include "report/model/report_model.h"

namespace copse::report {

class Stacks {
 public:
  struct Location {
    std::int32_t method;  // -1 means outside any context
    std::int32_t line;    // 0 means none or unknown
  };
  struct Stack {
    std::size_t row;
    std::int32_t thread;         // row of the thread's node (--by-thread); -1 means none
    std::string_view locations;  // base-128 varints, innermost first
    std::vector<std::int64_t> values;
  };

  // `deepest`: amounts of deeper contexts count for the caller at this depth. `most_bytes`: limit
  // for the bytes of all stacks together; beyond it, a smaller depth applies.
  Stacks(const ReportModel& model, std::vector<MeasureView> views, std::uint64_t deepest,
         std::uint64_t most_bytes);

  // Calls `visit` for each stack, in the order of the report's nodes. The Stack is valid during the
  // call.
  void for_each(const std::function<void(const Stack&)>& visit);

  const std::vector<Location>& locations() const noexcept { return locations_; }
  // Depth at which stacks were cut to stay within most_bytes; 0 when not cut.
  std::uint64_t cut_at() const noexcept { return cut_at_; }

 private:
  std::uint32_t location(std::int32_t method, std::int32_t line);
  bool has_amount(std::size_t row) const;
  std::uint64_t depth_that_fits(std::uint64_t most_bytes);
  void push(std::uint32_t location);

  const ReportModel& model_;
  const std::vector<MeasureView> views_;
  std::uint64_t deepest_;
  std::uint64_t cut_at_ = 0;
  std::vector<Location> locations_;
  FlatMap<std::uint64_t, std::uint32_t> location_ids_;
  std::string chain_;  // the last used_ bytes: callers of the current row, innermost first
  std::size_t used_ = 0;
};

// Returns the note for a file with stacks cut at `depth`.
std::string note_of_cut(std::uint64_t depth);
// Returns the error "pprof: why" when a sum does not fit the signed numbers of protocol buffers.
Status check_63_bits(const ReportModel& model, const std::string& format);

}  // namespace copse::report
