// Cost of one call: the amount of a measure divided by the calls of its contexts.
//
// Calls are exact. Amounts that come from every event are exact too. Others come from samples, and
// the number of samples tells how reliable a ratio is.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/number_column.h"
#include "report/model/measure_view.h"
#include "report/model/report_model.h"

namespace copse::report {

// Returns the relative standard error of an amount made of `samples` samples: 1/sqrt(samples), as
// for a Poisson count. Infinite for 0 samples.
double sampling_error(std::uint64_t samples) noexcept;

// Ratios from fewer samples, with a standard error of 32 % and more, are marked.
inline constexpr std::uint64_t kEnoughSamples = 10;
inline constexpr char kFewSamples = '~';
// Returns the explanation of the mark, in one line.
std::string few_samples_in_words();

// Returns the name of the measure that would count the samples of `measure`: "cpu_samples" for
// "cpu_ns" and for "cpu_samples". The report may not have it.
std::string samples_of(std::string_view measure);

// Refers to its report.
class PerCall {
 public:
  // Returns std::nullopt when calls are shown or none were counted.
  static std::optional<PerCall> of(const ReportModel& model, const MeasureView& shown);

  // Column heading: "ns/call", "B/call", "per call".
  std::string heading() const;
  const NumberColumn& calls() const noexcept { return *calls_; }
  // Samples behind each node's amount; nullptr when the amount comes from every event.
  const NumberColumn* samples() const noexcept { return samples_; }

  // "1,234"; "" for 0 calls when only some methods' calls were counted, since the real number is
  // unknown.
  std::string calls_text(std::uint64_t calls) const;
  // "1,234", "12.3", "0.05"; prefixed by the mark when samples are few; "" without calls.
  std::string text(std::uint64_t amount, std::uint64_t calls, std::uint64_t samples) const;
  bool is_uncertain(std::uint64_t samples) const noexcept {
    return samples_ != nullptr && samples < kEnoughSamples;
  }

 private:
  Unit unit_ = Unit::kCount;
  bool counts_all_ = true;
  const NumberColumn* calls_ = nullptr;
  const NumberColumn* samples_ = nullptr;
};

}  // namespace copse::report
