// The contexts of a report upside down: the methods in which something was counted on top, below each
// its callers, and so on to the threads' first calls. Made for what calls_into() cuts out
// (part/callers.h): the methods that somebody asked for are on top then, and an amount is what a way
// to them accounts for.
//
// It grows on demand. Cost: making it some passes over the nodes; callers(), one over the contexts
// that the frame stands for.
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
    std::uint64_t shown = 0;  // of what the report is shown by
    // Of calls those that are not below another counted one, so that what they cost is in `shown`.
    std::uint64_t outermost_calls = 0;
    std::uint64_t samples = 0;
  };
  struct Frame {
    std::int32_t method = kNoCaller;
    std::int32_t site = -1;  // in this method: where it calls the frame above
    Amounts amounts;
    // The contexts that end in the topmost frame, and for each the node of this frame.
    std::vector<std::int32_t> ends, at;
  };
  // The method of a frame that stands for calls whose caller was not recorded.
  static constexpr std::int32_t kNoCaller = -1;

  // Refers to the report.
  explicit CallersTree(const ReportModel& model);

  const MeasureView& view() const noexcept { return view_; }
  const std::optional<PerCall>& per_call() const noexcept { return per_call_; }
  std::uint64_t calls() const noexcept { return calls_; }  // of all on top
  // Of one context's outermost calls, the highest; a frame's is none higher.
  double highest_cost() const;
  // "1,234": what one outermost call costs, as PerCall::text() has it.
  std::string cost(const Amounts& amounts) const;

  // Both with the largest amounts first.
  std::vector<Frame> tops() const;
  // None where the frame has no recorded caller at all.
  std::vector<Frame> callers(const Frame& frame) const;

 private:
  using Nodes = std::vector<std::int32_t>;
  std::vector<Frame> grouped_by_frame(const Nodes& ends, const Nodes& nodes,
                                      const Nodes& sites) const;
  void add(Amounts& amounts, std::size_t node) const;

  const ReportModel& model_;
  const MeasureView view_ = shown_measure(model_);
  const std::optional<PerCall> per_call_ = PerCall::of(model_, view_);
  std::vector<bool> is_inner_;  // by node: below another one in which something was counted
  std::uint64_t calls_ = 0;
};

}  // namespace copse::report
