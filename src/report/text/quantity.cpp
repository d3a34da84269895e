#include "report/text/quantity.h"

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

// Three digits, or to the unit.
int usual_decimals(double number) { return number >= 99.95 ? 0 : number >= 9.995 ? 1 : 2; }

// Formats without the digits that the error leaves open.
std::string within(double number, double error, int most_decimals) {
  int place = static_cast<int>(std::floor(std::log10(error)));
  if (error < 2 * std::pow(10, place)) --place;
  const double step = std::pow(10, place);
  return with_decimals(place > 0 ? std::round(number / step) * step : number,
                       std::clamp(-place, 0, most_decimals));
}

std::string in_words(std::span<const Scale> scales, double amount, double error) {
  // A value that rounds to 1,000 uses the next unit.
  constexpr double kMostOfAUnit = 999.5;
  std::size_t at = 0;
  const auto in_unit = [&](double value) { return value / scales[at].divisor; };
  while (at + 1 < scales.size() && in_unit(std::max(amount, error)) >= kMostOfAUnit) ++at;
  const double value = in_unit(amount);
  const int decimals = at == 0 ? 0 : usual_decimals(value);
  return (error > 0 ? within(value, in_unit(error), decimals) : with_decimals(value, decimals)) +
         ' ' + std::string(scales[at].suffix);
}

}  // namespace

Unit unit_named(std::string_view name) noexcept {
  if (name == "ns") return Unit::kNanoseconds;
  return name.starts_with("bytes") ? Unit::kBytes : Unit::kCount;
}

std::string in_words(Unit unit, std::uint64_t amount) {
  return unit == Unit::kCount ? grouped(amount) : in_words(unit, static_cast<double>(amount), 0);
}

std::string in_words(Unit unit, double amount, double error) {
  if (unit == Unit::kNanoseconds) return in_words(kTimes, amount, error);
  if (unit == Unit::kBytes) return in_words(kSizes, amount, error);
  return error > 0 ? within(amount, error, 0) : with_decimals(amount, 0);
}

std::string in_digits(double ratio) {
  constexpr double kSmallest = 0.005;
  if (ratio == 0) return "0";
  if (ratio < kSmallest) return "<0.01";
  return with_decimals(ratio, usual_decimals(ratio));
}

std::string in_digits(double ratio, double error) {
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

std::string ColumnScale::text(std::uint64_t amount) const {
  if (divisor_ == 1 || amount == 0) return grouped(amount);
  return with_decimals(static_cast<double>(amount) / divisor_, decimals_);
}

}  // namespace copse::report
