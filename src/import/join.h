// Joins a report with another profiler's samples: exact contexts and calls, with the sampled time
// as one more measure.
//
//   samples = in contexts + outside + unmatched, always, to the last one
//
// Samples in contexts and outside are in nodes; unmatched samples are the measure's `lost`.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "base/status.h"
#include "import/sampled_stacks.h"
#include "report/model/report_model.h"

namespace copse::join {

// Names of rows that stand for no method of the program. kOutsideName is the name in reports of
// events.
inline constexpr const char* kOutsideName = "(no recorded caller)";
inline constexpr const char* kSeveralName = "(one of several contexts)";

// Amounts in the unit of the measure.
struct JoinSums {
  std::string measure;
  std::string unit;
  std::uint64_t samples = 0;
  std::uint64_t in_contexts = 0;
  std::uint64_t ambiguous =
      0;  // part of in_contexts: fits several contexts, so in a node below their common caller
  std::uint64_t evicted = 0;  // part of in_contexts: in nodes of evicted contexts
  std::uint64_t outside = 0;  // whole stacks without a recorded frame
  std::uint64_t unmatched = 0;
  std::uint64_t cut = 0;  // stacks without their outer frames, whatever their outcome
  // Reasons for unmatched samples with their amounts, largest first.
  std::vector<std::pair<std::string, std::uint64_t>> reasons;
};

// Returns the default name of the measure: "joined_cpu_ns", "joined_samples".
std::string measure_name(const SampledStacks::Value& value);

// Returns an error unless the name consists of lower-case words joined by '_'.
Status check_measure_spelling(const std::string& name);
// Returns an error unless check_measure_spelling() passes and the name is free in the report.
Status check_measure_name(const report::ReportModel& model, const std::string& name);

// Adds the measure, shows the report by it, and adds notes on the samples. Adds contexts for
// samples that fit several (added_contexts.h). REQUIRES: `name` has passed check_measure_name().
JoinSums join_samples(report::ReportModel& model, const SampledStacks& stacks, std::size_t value,
                      const std::string& name);

}  // namespace copse::join
