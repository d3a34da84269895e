// A report's contexts upside down: methods with an amount on top, below each its callers, down to
// the threads' first calls. Meant for the result of calls_into() (part/cut.h): its chosen
// methods are on top, and each amount is the share of one way to them.
//
// Grows on demand. Cost: a few passes over the nodes to construct; callers() is linear in the
// contexts of the frame.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "report/model/measure_view.h"
#include "report/model/per_call.h"
#include "report/model/report_model.h"

namespace copse::report {

class CallersTree {
 public:
  struct Amounts {
    std::uint64_t calls = 0;
    std::uint64_t shown = 0;  // amount of the shown measure
    // Calls that are not below another counted context; their cost is in `shown`.
    std::uint64_t outermost_calls = 0;
    std::uint64_t samples = 0;
  };
  struct Frame {
    std::int32_t method = kNoCaller;
    std::int32_t site = -1;  // call site, in this method, of the frame above
    Amounts amounts;
    // Contexts that end in the topmost frame, and for each the node of this frame.
    std::vector<std::int32_t> ends, at;
  };
  // Method of a frame for calls without a recorded caller.
  static constexpr std::int32_t kNoCaller = -1;

  // Refers to the report.
  explicit CallersTree(const ReportModel& model);

  const MeasureView& view() const noexcept { return view_; }
  const std::optional<PerCall>& per_call() const noexcept { return per_call_; }
  std::uint64_t calls() const noexcept { return calls_; }  // sum over the topmost frames
  // Highest cost of a context's outermost calls; an upper bound for every frame.
  double highest_cost() const;
  // Cost of one outermost call, "1,234", as in PerCall::text().
  std::string cost(const Amounts& amounts) const;

  // Frames of both functions are ordered by amount, largest first.
  std::vector<Frame> tops() const;
  // Empty when the frame has no recorded caller at all.
  std::vector<Frame> callers(const Frame& frame) const;

 private:
  using Nodes = std::vector<std::int32_t>;
  std::vector<Frame> grouped_by_frame(const Nodes& ends, const Nodes& nodes,
                                      const Nodes& sites) const;
  void add(Amounts& amounts, std::size_t node) const;

  const ReportModel& model_;
  const MeasureView view_ = shown_measure(model_);
  const std::optional<PerCall> per_call_ = PerCall::of(model_, view_);
  std::vector<bool> is_inner_;  // by node: an ancestor other than ROOT has an amount
  std::uint64_t calls_ = 0;
};

}  // namespace copse::report
