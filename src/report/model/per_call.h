// What one call costs: the amount of a measure by the calls that it was counted in.
//
// Calls are exact, and so are amounts that come from every event. Others come from samples: there
// the number of samples says how far a ratio can be trusted.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "report/model/measure_view.h"
#include "report/model/report_model.h"

namespace copse::report {

// The standard error of an amount that so many samples make, as a share of it: that of a Poisson
// count, 1 in the square root. Infinite without samples.
double sampling_error(std::uint64_t samples) noexcept;

// With fewer samples, and a standard error of 32 % and more, a ratio is marked.
inline constexpr std::uint64_t kEnoughSamples = 10;
inline constexpr char kFewSamples = '~';
// What the mark means, in a line.
std::string few_samples_in_words();

// What the measure is called that counts the samples of this one, if it is made of samples and the report
// has such a measure: "cpu_samples" for "cpu_ns", and for itself.
std::string samples_of(std::string_view measure);

// Refers to its report.
class PerCall {
 public:
  // Nothing where calls are what is shown, or none were counted.
  static std::optional<PerCall> of(const ReportModel& model, const MeasureView& shown);

  // Of a column: "ns/call", "B/call", "per call".
  std::string heading() const;
  const std::vector<std::uint64_t>& calls() const noexcept { return *calls_; }
  // One per node, as many as its amount comes from; null where it comes from every event.
  const std::vector<std::uint64_t>* samples() const noexcept { return samples_; }

  // "1,234"; "" for none where only some methods' calls were counted: nobody knows then.
  std::string calls_text(std::uint64_t calls) const;
  // "1,234", "12.3", "0.05"; with the mark in front where samples are few; "" without calls.
  std::string text(std::uint64_t amount, std::uint64_t calls, std::uint64_t samples) const;
  bool is_uncertain(std::uint64_t samples) const noexcept {
    return samples_ != nullptr && samples < kEnoughSamples;
  }

 private:
  Unit unit_ = Unit::kCount;
  bool counts_all_ = true;
  const std::vector<std::uint64_t>* calls_ = nullptr;
  const std::vector<std::uint64_t>* samples_ = nullptr;
};

}  // namespace copse::report
