// The measure that a report is shown by, calls included, with its names.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/number_column.h"
#include "base/status.h"
#include "report/model/quantity.h"
#include "report/model/report_model.h"

namespace copse::report {

// Refers to its report. Texts of a measure are the report's own and may be unprintable.
struct MeasureView {
  std::string name;     // of --measure: "calls", "cpu_ns"
  std::string words;    // "calls", "calls of marked methods", "cpu time"
  std::string heading;  // of a column, without its unit: "calls", "cpu", "allocated"
  Unit unit = Unit::kCount;
  bool is_estimate = false;
  const NumberColumn* values = nullptr;   // one per node, exclusive
  const NumberColumn* samples = nullptr;  // behind `values`; nullptr where they were counted
  std::uint64_t total = 0;                // in nodes
  std::uint64_t total_samples = kExact;   // behind `total`
  std::uint64_t lost = 0;                 // seen, but in no node
  std::uint64_t seen = 0;

  bool is_calls() const noexcept;
  std::uint64_t of(std::size_t node) const noexcept { return (*values)[node]; }
  std::uint64_t samples_of(std::size_t node) const noexcept {
    return samples == nullptr ? kExact : (*samples)[node];
  }
};

// Name of the context, a child of ROOT, with the CPU time of the JVM's own threads and of threads in which
// nothing was recorded (encoders/events/outside.h has the same; a test compares them). Its children have the known parts:
// "(JIT compilers)".
inline constexpr std::string_view kThreadsWithoutCalls = "(threads without recorded calls)";

// Returns, by node, whether it is kThreadsWithoutCalls below ROOT, or a part of it.
std::vector<bool> contexts_without_calls(const ReportModel& model);

// Takes the amounts of these contexts out of a report whose contexts are about to be put together, and notes how much
// that is of the shown measure.
void take_jvm_out(ReportModel& model);

// Choice of amounts that are no answers to questions about the program.
struct LeftOut {
  bool nothing = false;           // all amounts are shown
  std::vector<std::string> idle;  // names of more methods that wait for work (idle_waits.h)
};

// A measure without the amounts of kThreadsWithoutCalls and of waits for work (idle_waits.h). Rankings, trees and
// percentages are of this; totals and proofs are of the whole.
class ProgramView {
 public:
  // Refers to the report. Cost: a copy of the column if there is such an amount.
  ProgramView(const ReportModel& model, const MeasureView& whole, const LeftOut& left_out);
  ProgramView(const ProgramView&) = delete;
  ProgramView& operator=(const ProgramView&) = delete;
  const MeasureView& view() const noexcept { return view_; }
  std::uint64_t jvm() const noexcept { return jvm_; }  // left out, of kThreadsWithoutCalls
  // "JIT compilers 8.10 s, garbage collectors 2.00 s": the known parts of jvm(); "" if there are none.
  std::string jvm_parts() const;
  std::uint64_t idle() const noexcept { return idle_; }  // left out, of waits for work

 private:
  NumberColumn values_, samples_;
  std::uint64_t jvm_ = 0;
  std::vector<std::pair<std::string, std::uint64_t>> jvm_parts_;
  std::uint64_t idle_ = 0;
  MeasureView view_;
};

MeasureView view_of_calls(const ReportModel& model);
// Returns the measure named `model.shown`, calls if there is no such measure. Cost: linear in the
// nodes.
MeasureView shown_measure(const ReportModel& model);
// Returns all measures that can be shown: calls, then the measures in their order. Calls are left
// out when none were counted and another measure exists.
std::vector<MeasureView> measures_on_offer(const ReportModel& model);
// Returns the words of a measure; "" if there is none of that name. Cost: independent of the nodes.
std::string words_of(const ReportModel& model, std::string_view name);

// Words of the option --measure for columns with these names, in the order of a report; a column of samples or of
// events has the word of its amount. A column that no option records has its own name.
std::vector<std::string> measure_words(const std::vector<std::string>& columns);
// Returns the word of --measure for a measure of the report; its name if it has none.
std::string measure_word(const ReportModel& model, const std::string& name);
// Places of measures in messages.
inline constexpr std::string_view kThisReport = "this report", kEitherReport = "either report";
// Returns the only way to say that a measure is not there: "no allocations in this report; record with --measure alloc. It
// has: calls, cpu". `typed`: a word of --measure or a column. `columns`: names of those that are there.
std::string absent_measure(std::string_view typed, const std::vector<std::string>& columns,
                           std::string_view where = kThisReport);
// Returns whether `typed` is a word of --measure or a column, by its whole name.
bool is_known_measure(std::string_view typed);

// Returns the measure meant by `name`: its full name, a word of --measure ("alloc=exact"), its name without the unit
// ("cpu" for cpu_ns), or a prefix ("alloc" for allocated_bytes). For a prefix, times and bytes take precedence over
// counts. The error is absent_measure(), or lists the measures that match.
Result<std::string> measure_called(const ReportModel& model, const std::string& name,
                                   std::string_view where = kThisReport);
// Shows `model` by that measure in every format. The error begins with "--measure NAME: ".
Status show_measure(ReportModel& model, const std::string& name,
                    std::string_view where = kThisReport);

// Returns the measure to show by default: the first measure with an amount. Where calls were counted, an estimate needs
// kEnoughSamples in contexts with calls, and wall time stands in for CPU time. Falls back
// to calls when no measure has an amount, and to the first measure when there are no calls either.
std::string measure_to_show(const ReportModel& model);

}  // namespace copse::report
