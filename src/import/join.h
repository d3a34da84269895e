// A report joined with another profiler's samples: its exact contexts and calls, and as one more
// measure the time that was seen in them.
//
//   samples = in contexts + outside + unmatched, always, to the last one
//
// What is in contexts or outside is in nodes, what is unmatched is the measure's `lost`.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "base/status.h"
#include "import/sampled_stacks.h"
#include "report/model/report_model.h"

namespace copse::join {

// Names of methods that stand for no method of the program. Outside is named as in reports of events.
inline constexpr const char* kOutsideName = "(no recorded caller)";
inline constexpr const char* kSeveralName = "(one of several contexts)";

// All in the unit of the measure.
struct JoinSums {
  std::string measure;
  std::string unit;
  std::uint64_t samples = 0;
  std::uint64_t in_contexts = 0;
  std::uint64_t ambiguous =
      0;  // of those: of several contexts, so in a node below their common caller
  std::uint64_t evicted = 0;  // of those: in nodes of evicted contexts
  std::uint64_t outside = 0;  // whole stacks without a recorded frame
  std::uint64_t unmatched = 0;
  std::uint64_t cut = 0;  // stacks without their outer frames, wherever they went
  // Why, with how much; the most first.
  std::vector<std::pair<std::string, std::uint64_t>> reasons;
};

// The name of the measure when none is asked for: "joined_cpu_ns", "joined_samples".
std::string measure_name(const SampledStacks::Value& value);

// Whether it is spelled as one: lower-case words joined by '_'.
Status check_measure_spelling(const std::string& name);
// Whether the report can have a measure of that name: lower-case words joined by '_', and no other's.
Status check_measure_name(const report::ReportModel& model, const std::string& name);

// Adds the measure, shows the report by it, and notes what the samples were. `name` has passed
// check_measure_name(). Contexts are added where samples are of several (added_contexts.h).
JoinSums join_samples(report::ReportModel& model, const SampledStacks& stacks, std::size_t value,
                      const std::string& name);

}  // namespace copse::join
