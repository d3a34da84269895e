// Rankings of a summary: hot methods and hot contexts by the shown measure, with the cost of one
// call where calls were counted beside it (per_call.h).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/number_column.h"
#include "report/model/display_names.h"
#include "report/model/event_objects.h"
#include "report/model/measure_view.h"
#include "report/model/per_call.h"
#include "report/model/report_model.h"
#include "report/model/report_stats.h"
#include "report/model/text_lines.h"
#include "report/text/callers_tree.h"
#include "report/text/text_table.h"

namespace copse::report {

class Rankings {
 public:
  // Refers to its arguments except `top`, the rows of each ranking. `stats` are of `view`, with events at their callers
  // (AmountsAtCallers). `callers`: the report is of calls into some methods (part/cut.h).
  Rankings(const ReportModel& model, const MeasureView& view, const std::vector<MethodStats>& stats,
           std::size_t top, bool callers, TextLines& out);

  void write();
  // Writes only the ranking of methods.
  void write_methods();

 private:
  std::vector<MethodStats> hot_methods() const;
  // Samples behind a method's amounts; kExact where they were counted.
  MethodStats samples_of(const MethodStats& method) const;
  std::string name_of(const MethodStats& method, std::size_t width) const;
  void write_methods_with_cost(const std::vector<MethodStats>& methods);
  // Returns a cell for each method with the class of its events that has most, and the column's heading at the end.
  // All are empty where no method has events, or where they have no room beside names. `room`: for both.
  std::vector<std::string> events_of(const std::vector<MethodStats>& methods,
                                     std::size_t room) const;
  // Returns the smallest room from `room` on that events_of() needs for its column; std::nullopt if
  // no method has events.
  std::optional<std::size_t> room_of_events(const std::vector<MethodStats>& methods,
                                            std::size_t room) const;
  // Adds the column of events to the columns that have no room, if it is one of them, and writes those.
  void write_left_out(const std::vector<MethodStats>& methods, bool has_events,
                      TextTable::LeftOut left_out);
  enum class EventForm { kWhole, kWithoutOuterClass, kShortest };
  std::string event_of(const MethodStats& method, EventForm form) const;
  std::string heading_of_events() const;
  bool are_all_events() const;  // of one kind
  void write_classes_of_events();
  void write_callers();
  std::string name_of(const CallersTree::Frame& caller, std::size_t width) const;
  std::vector<CallersTree::Amounts> calls_in(const std::vector<std::int32_t>& rows) const;
  void write_contexts();
  TextTable amounts_of(const std::vector<std::int32_t>& rows) const;
  // `frames`: characters that contexts should have.
  TextTable amounts_and_cost_of(const std::vector<std::int32_t>& rows, std::size_t frames);
  TextTable amounts_of_calls(const std::vector<CallersTree::Amounts>& callers);
  std::string cost(std::uint64_t amount, std::uint64_t calls, std::uint64_t samples);

  const ReportModel& model_;
  const MeasureView& view_;
  const std::vector<MethodStats>& stats_;
  const std::size_t top_;
  const bool callers_;
  TextLines& out_;
  const DisplayNames names_{model_.methods};
  const EventAmounts events_{model_, *view_.values};
  const std::string words_;
  const std::optional<PerCall> per_call_ = PerCall::of(model_, view_);
  std::vector<MethodStats> samples_;  // by method; empty where amounts were counted
  std::uint64_t samples_of_threads_ = 0;
  bool has_few_samples_ = false;  // a written cost has few samples
};

}  // namespace copse::report
