// The contexts of a report as formats have them that give every context its whole stack: pprof, OTLP.
//
// A stack is a list of locations, innermost first, each a method with the line at which it is: of a
// caller that of its call, of the innermost method none. Numbers of locations start at 1. Contexts
// without anything counted are left out, and what stands for threads is no location.
// A stack is encoded in one step a context, because contexts share the callers' end; what has to
// be copied is its bytes.
// Threads: one at a time. Memory: two numbers a context, and the deepest stack.
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
    std::int32_t method;  // -1: outside any context
    std::int32_t line;    // 0: none, or not known
  };
  struct Stack {
    std::size_t row;
    std::int32_t thread;         // row of the node that stands for its thread, -1: none
    std::string_view locations;  // base-128 varints, innermost first
    std::vector<std::int64_t> values;
  };

  // `deepest`: amounts of deeper contexts are those of their callers at this depth.
  // `most_bytes`: of all stacks together; where they are more, the deepest are cut likewise.
  Stacks(const ReportModel& model, std::vector<MeasureView> views, std::uint64_t deepest,
         std::uint64_t most_bytes);

  // In the order of the report's nodes; what it is given is valid during the call.
  void for_each(const std::function<void(const Stack&)>& visit);

  const std::vector<Location>& locations() const noexcept { return locations_; }
  // The depth at which stacks were cut to have no more than most_bytes; 0: they were not.
  std::uint64_t cut_at() const noexcept { return cut_at_; }

 private:
  std::uint32_t location(std::int32_t method, std::int32_t line);
  bool has_amount(std::size_t row) const;
  void measure_depths();
  std::uint64_t depth_that_fits(std::uint64_t most_bytes);
  void push(std::uint32_t location);

  const ReportModel& model_;
  const std::vector<MeasureView> views_;
  std::vector<std::uint32_t> depths_;  // by row; ROOT and threads are at 0
  std::uint64_t deepest_;
  std::uint64_t cut_at_ = 0;
  std::vector<std::vector<std::uint64_t>> inclusive_;  // by view, where something is cut
  std::vector<Location> locations_;
  FlatMap<std::uint64_t, std::uint32_t> location_ids_;
  std::string chain_;  // its end is in use: callers of the row at hand, innermost first
  std::size_t used_ = 0;
};

// What a file with cut stacks says of them.
std::string note_of_cut(std::uint64_t depth);
// An error when a sum does not fit the signed numbers of protocol buffers: "pprof: why".
Status check_63_bits(const ReportModel& model, const std::string& format);

}  // namespace copse::report
