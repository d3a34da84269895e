#include "base/shortest_digits.h"

#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <limits>

namespace copse {
namespace {

// A text of 15 digits comes back from a number of full precision; 17 digits suffice for each number.
constexpr int kFewDigits = 15, kAllDigits = 17;

struct Decimal {
  std::string digits;  // the point stands behind the first one
  int exponent;
};

Decimal shortest(double number) {
  std::array<char, 64> text{};
  const bool is_full = number >= std::numeric_limits<double>::min();
  for (int digits = is_full ? kFewDigits : 1; digits <= kAllDigits; ++digits) {
    std::snprintf(text.data(), text.size(), "%.*e", digits - 1, number);
    if (std::strtod(text.data(), nullptr) == number) break;
  }
  Decimal made{"", 0};
  const char* at = text.data();
  for (; *at != 'e'; ++at) {  // leaves out the point, whatever the locale takes for one
    if (*at >= '0' && *at <= '9') made.digits += *at;
  }
  made.exponent = std::atoi(at + 1);
  while (made.digits.size() > 1 && made.digits.back() == '0') made.digits.pop_back();
  return made;
}

std::string with_point(const Decimal& decimal, double number) {
  const int behind = static_cast<int>(decimal.digits.size()) - 1 - decimal.exponent;
  if (behind <= 0) {
    std::array<char, 400> text{};
    std::snprintf(text.data(), text.size(), "%.0f", number);
    return text.data();
  }
  if (decimal.exponent < 0) {
    return "0." + std::string(static_cast<std::size_t>(-decimal.exponent - 1), '0') +
           decimal.digits;
  }
  std::string text = decimal.digits;
  return text.insert(static_cast<std::size_t>(decimal.exponent) + 1, 1, '.');
}

std::string with_exponent(const Decimal& decimal) {
  std::string text = decimal.digits;
  if (text.size() > 1) text.insert(1, 1, '.');
  std::array<char, 16> exponent{};
  std::snprintf(exponent.data(), exponent.size(), "e%+03d", decimal.exponent);
  return text + exponent.data();
}

}  // namespace

std::string shortest_digits(double number) {
  const std::string sign = std::signbit(number) ? "-" : "";
  number = std::abs(number);
  const Decimal decimal = shortest(number);
  const std::string fixed = with_point(decimal, number), scientific = with_exponent(decimal);
  return sign + (fixed.size() <= scientific.size() ? fixed : scientific);
}

}  // namespace copse
