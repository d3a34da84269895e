#include "base/shortest_digits.h"

#include <gtest/gtest.h>

#include <bit>
#include <charconv>
#include <cmath>
#include <limits>
#include <random>

namespace copse {
namespace {

std::string as_the_library_has_it(double number) {
  char text[400];
  return {text, std::to_chars(text, std::end(text), number).ptr};
}

TEST(ShortestDigits, AreThoseOfTheLibrary) {
  using Limits = std::numeric_limits<double>;
  for (const double number : {0.0, -0.0, 1.0, 0.1, 1e5, 100000.5, 1e-4, 0.00012345, 1e15,
                              123456789012345677.0, 1e22, 2.5e-8, 1.0 / 3, 9007199254740993.0, 1e23,
                              5e-324, Limits::max(), Limits::min(), Limits::epsilon()}) {
    EXPECT_EQ(shortest_digits(number), as_the_library_has_it(number));
    EXPECT_EQ(shortest_digits(-number), as_the_library_has_it(-number));
  }
}

TEST(ShortestDigits, AreThoseOfTheLibraryForAnyBits) {
  std::mt19937_64 random(7);
  for (int i = 0; i < 20'000; ++i) {
    const auto number = std::bit_cast<double>(random());
    const double small = static_cast<double>(random() % 1'000'000'000) / 1000;
    if (std::isfinite(number)) {
      ASSERT_EQ(shortest_digits(number), as_the_library_has_it(number));
    }
    ASSERT_EQ(shortest_digits(small), as_the_library_has_it(small));
  }
}

}  // namespace
}  // namespace copse
