#include "report/model/quantity.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <span>

#include "base/grouped.h"

namespace copse::report {
namespace {

struct Scale {
  std::string_view suffix;
  double divisor;
};
constexpr std::array kTimes = {Scale{"ns", 1}, Scale{"us", 1e3}, Scale{"ms", 1e6}, Scale{"s", 1e9}};
constexpr std::array kSizes = {Scale{"B", 1}, Scale{"KiB", 0x1p10}, Scale{"MiB", 0x1p20},
                               Scale{"GiB", 0x1p30}};

// Formats with commas and `decimals` digits after the point.
std::string with_decimals(double number, int decimals) {
  const std::string text = fmt::format("{:.{}f}", number, decimals);
  const std::size_t point = std::min(text.find('.'), text.size());
  return grouped(std::strtoull(text.c_str(), nullptr, 10)) + text.substr(point);
}

// Formats with the digit at 10^`place` as the last one, and at most `most_decimals` behind the point.
std::string down_to(double number, int place, int most_decimals) {
  const double step = std::pow(10, std::max(place, 0));
  return with_decimals(place > 0 ? std::round(number / step) * step : number,
                       std::clamp(-place, 0, most_decimals));
}

// Three digits, or to the unit.
int usual_decimals(double number) { return number >= 99.95 ? 0 : number >= 9.995 ? 1 : 2; }

// Formats without the digits that the error leaves open.
std::string within(double number, double error, int most_decimals) {
  int place = static_cast<int>(std::floor(std::log10(error)));
  if (error < 2 * std::pow(10, place)) --place;
  return down_to(number, place, most_decimals);
}

// The scale of an amount. A value that rounds to 1,000 uses the next unit.
const Scale& scale_of(std::span<const Scale> scales, double amount) {
  constexpr double kMostOfAUnit = 999.5;
  std::size_t at = 0;
  while (at + 1 < scales.size() && amount / scales[at].divisor >= kMostOfAUnit) ++at;
  return scales[at];
}

int decimals_of(const Scale& scale, double value) {
  return scale.divisor == 1 ? 0 : usual_decimals(value);
}

std::string in_words(std::span<const Scale> scales, double amount, double error) {
  const Scale& scale = scale_of(scales, std::max(amount, error));
  const double value = amount / scale.divisor;
  const int decimals = decimals_of(scale, value);
  return (error > 0 ? within(value, error / scale.divisor, decimals)
                    : with_decimals(value, decimals)) +
         ' ' + std::string(scale.suffix);
}

std::string in_words(std::span<const Scale> scales, std::uint64_t amount, std::uint64_t samples) {
  const Scale& scale = scale_of(scales, static_cast<double>(amount));
  const double value = static_cast<double>(amount) / scale.divisor;
  return figure(value, decimals_of(scale, value), samples) + ' ' + std::string(scale.suffix);
}

}  // namespace

std::string figure(double number, int decimals, std::uint64_t samples) {
  if (samples == kExact || number <= 0) return with_decimals(number, decimals);
  const int digits = 2 + static_cast<int>(std::log10(static_cast<double>(samples)) / 2);
  const int before_point = 1 + static_cast<int>(std::floor(std::log10(number)));
  return down_to(number, before_point - digits, decimals);
}

Unit unit_named(std::string_view name) noexcept {
  if (name == "ns") return Unit::kNanoseconds;
  return name.starts_with("bytes") ? Unit::kBytes : Unit::kCount;
}

std::string in_words(Unit unit, std::uint64_t amount, std::uint64_t samples) {
  if (unit == Unit::kNanoseconds) return in_words(kTimes, amount, samples);
  return unit == Unit::kBytes ? in_words(kSizes, amount, samples) : grouped(amount);
}

std::string in_words_with_error(Unit unit, double amount, double error) {
  if (unit == Unit::kNanoseconds) return in_words(kTimes, amount, error);
  if (unit == Unit::kBytes) return in_words(kSizes, amount, error);
  return error > 0 ? within(amount, error, 0) : with_decimals(amount, 0);
}

std::string in_digits(double ratio, std::uint64_t samples) {
  constexpr double kSmallest = 0.005;
  if (ratio == 0) return "0";
  if (ratio < kSmallest) return "<0.01";
  return figure(ratio, usual_decimals(ratio), samples);
}

std::string in_digits_with_error(double ratio, double error) {
  return error > 0 ? within(ratio, error, usual_decimals(ratio)) : in_digits(ratio);
}

ColumnScale::ColumnScale(Unit unit, std::uint64_t total) noexcept {
  constexpr std::uint64_t kSecond = 1'000'000'000;
  constexpr std::uint64_t kMostBytes = 10 << 10;
  constexpr std::uint64_t kMostKibibytes = 10 << 20;
  if (unit == Unit::kNanoseconds) {
    suffix_ = "ms";
    divisor_ = 1e6;
    decimals_ = total < kSecond ? 3 : 1;
  } else if (unit == Unit::kBytes) {
    const Scale& scale = kSizes[total <= kMostBytes ? 0 : total <= kMostKibibytes ? 1 : 2];
    suffix_ = scale.suffix;
    divisor_ = scale.divisor;
    decimals_ = divisor_ == 1 ? 0 : 1;
  }
}

std::string ColumnScale::text(std::uint64_t amount, std::uint64_t samples) const {
  if ((divisor_ == 1 && samples == kExact) || amount == 0) return grouped(amount);
  return figure(static_cast<double>(amount) / divisor_, decimals_, samples);
}

}  // namespace copse::report
