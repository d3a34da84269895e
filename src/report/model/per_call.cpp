#include "report/model/per_call.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string_view>

#include "base/grouped.h"

namespace copse::report {
namespace {

constexpr std::string_view kSamplesEnding = "_samples";

}  // namespace

double sampling_error(std::uint64_t samples) noexcept {
  return samples == 0 ? std::numeric_limits<double>::infinity()
                      : 1 / std::sqrt(static_cast<double>(samples));
}

std::string few_samples_in_words() {
  return fmt::format(
      "{}: fewer than {} samples. Standard error of n samples: 1 / √n ({:.0f} % for {}, 100 % for "
      "1).",
      kFewSamples, kEnoughSamples, 100 * sampling_error(kEnoughSamples), kEnoughSamples);
}

std::string samples_of(std::string_view measure) {
  if (measure.ends_with(kSamplesEnding)) return std::string(measure);
  if (measure == "allocated_bytes") return "allocation_samples";
  for (const std::string_view unit : {"_ns", "_bytes"}) {
    if (measure.ends_with(unit)) {
      measure.remove_suffix(unit.size());
      break;
    }
  }
  return std::string(measure).append(kSamplesEnding);
}

std::optional<PerCall> PerCall::of(const ReportModel& model, const MeasureView& shown) {
  if (shown.is_calls() || model.totals.calls == 0) return std::nullopt;
  PerCall per_call;
  per_call.unit_ = shown.unit;
  per_call.counts_all_ = model.totals.calls_of.empty();
  per_call.calls_ = &model.nodes.calls;
  per_call.samples_ = shown.samples;
  return per_call;
}

std::string PerCall::heading() const {
  return unit_ == Unit::kNanoseconds ? "ns/call" : unit_ == Unit::kBytes ? "B/call" : "per call";
}

std::string PerCall::calls_text(std::uint64_t calls) const {
  return calls == 0 && !counts_all_ ? "" : grouped(calls);
}

std::string PerCall::text(std::uint64_t amount, std::uint64_t calls, std::uint64_t samples) const {
  if (calls == 0) return "";
  const std::string ratio = in_digits(static_cast<double>(amount) / static_cast<double>(calls),
                                      samples_ == nullptr ? kExact : samples);
  return is_uncertain(samples) ? kFewSamples + ratio : ratio;
}

}  // namespace copse::report
