#include "report/model/quantity.h"

#include <gtest/gtest.h>

namespace copse::report {
namespace {

constexpr std::uint64_t kKiB = 1 << 10;
constexpr std::uint64_t kMiB = 1 << 20;
constexpr std::uint64_t kGiB = 1 << 30;

TEST(Quantity, OfTimeIsSaidInTheUnitThatFits) {
  const auto time = [](std::uint64_t ns) { return in_words(Unit::kNanoseconds, ns); };
  EXPECT_EQ(time(0), "0 ns");
  EXPECT_EQ(time(999), "999 ns");
  EXPECT_EQ(time(1000), "1.00 us");
  EXPECT_EQ(time(12'345), "12.3 us");
  EXPECT_EQ(time(123'456), "123 us");
  EXPECT_EQ(time(510'698'772), "511 ms");
  EXPECT_EQ(time(5'106'987'720), "5.11 s");
  EXPECT_EQ(time(3'600'000'000'000), "3,600 s");
}

TEST(Quantity, ThatRoundsToAThousandIsOneOfTheNextUnit) {
  const auto time = [](std::uint64_t ns) { return in_words(Unit::kNanoseconds, ns); };
  EXPECT_EQ(time(999'499), "999 us");
  EXPECT_EQ(time(999'500), "1.00 ms");
  EXPECT_EQ(time(9'994), "9.99 us");
  EXPECT_EQ(time(9'995), "10.0 us");
  EXPECT_EQ(time(99'949), "99.9 us");
  EXPECT_EQ(time(99'950), "100 us");
}

TEST(Quantity, OfMemoryIsSaidInPowersOfTwo) {
  const auto size = [](std::uint64_t bytes) { return in_words(Unit::kBytes, bytes); };
  EXPECT_EQ(size(0), "0 B");
  EXPECT_EQ(size(999), "999 B");
  EXPECT_EQ(size(kKiB), "1.00 KiB");
  EXPECT_EQ(size(1000), "0.98 KiB");
  EXPECT_EQ(size(248'395'584), "237 MiB");
  EXPECT_EQ(size(24 * kGiB), "24.0 GiB");
  EXPECT_EQ(size(5000 * kGiB), "5,000 GiB");
}

TEST(Quantity, OfSamplesHasTheDigitsThatTheirErrorAllowsAndOneMore) {
  const auto time = [](std::uint64_t ns, std::uint64_t samples) {
    return in_words(Unit::kNanoseconds, ns, samples);
  };
  EXPECT_EQ(time(10'123'456, 1), "10 ms");
  EXPECT_EQ(time(1'234'567, 1), "1.2 ms");
  EXPECT_EQ(time(123'456'789, 12), "120 ms");
  EXPECT_EQ(time(123'456'789, 100), "123 ms");
  EXPECT_EQ(time(123'456'789, kExact), "123 ms");
  EXPECT_EQ(in_words(Unit::kBytes, 1536 * kKiB, 3), "1.5 MiB");
  EXPECT_EQ(in_words(Unit::kCount, 12345, 3), "12,345") << "events are counted";
  EXPECT_EQ(in_digits(821'713, 165), "822,000");
  EXPECT_EQ(in_digits(821'713, 3), "820,000");
  EXPECT_EQ(in_digits(12.34, 3), "12");
  EXPECT_EQ(in_digits(0.1234, 3), "0.12");
  EXPECT_EQ(in_digits(0.001, 3), "<0.01");
  EXPECT_EQ(figure(99.96, 1, 99), "100");
  EXPECT_EQ(figure(33.33, 1, 1), "33");
  EXPECT_EQ(figure(6.25, 1, 1), "6.2");
  EXPECT_EQ(figure(1234.5678, 3, 1'000'000), "1,234.6");
  EXPECT_EQ(figure(0.02, 1, 1), "0.0");
  EXPECT_EQ(figure(0, 1, 1), "0.0");
}

TEST(Quantity, OfEventsIsTheirNumber) { EXPECT_EQ(in_words(Unit::kCount, 12345), "12,345"); }

TEST(Quantity, HasNoDigitThatItsErrorLeavesOpen) {
  const auto time = [](double ms, double error) {
    return in_words_with_error(Unit::kNanoseconds, ms * 1e6, error * 1e6);
  };
  EXPECT_EQ(time(745.4, 83), "750 ms") << "to ten ms";
  EXPECT_EQ(time(745.4, 8.3), "745 ms");
  EXPECT_EQ(time(745.4, 18), "745 ms") << "an error that begins with 1 has two digits";
  EXPECT_EQ(time(4485, 300), "4.5 s");
  EXPECT_EQ(time(4484, 30), "4.48 s");
  EXPECT_EQ(time(4484, 0.001), "4.48 s") << "never more digits than without an error";
  EXPECT_EQ(time(8, 24), "10 ms");
  EXPECT_EQ(time(0.5, 900), "0 ms") << "in the unit of the error";
  EXPECT_EQ(time(12.3, 0), "12.3 ms") << "exact";
  EXPECT_EQ(in_words_with_error(Unit::kBytes, 1.5 * kMiB, 0.4 * kMiB), "1.5 MiB");
  EXPECT_EQ(in_words_with_error(Unit::kCount, 12'344, 150), "12,340");
  EXPECT_EQ(in_words_with_error(Unit::kCount, 12'345, 0.5), "12,345");
  EXPECT_EQ(in_digits_with_error(28.4, 22), "30");
  EXPECT_EQ(in_digits_with_error(28.4, 1.7), "28.4");
  EXPECT_EQ(in_digits_with_error(28.4, 0), "28.4");
}

TEST(Quantity, HasTheUnitThatAReportNames) {
  EXPECT_EQ(unit_named("ns"), Unit::kNanoseconds);
  EXPECT_EQ(unit_named("bytes"), Unit::kBytes);
  EXPECT_EQ(unit_named("bytes (estimate)"), Unit::kBytes);
  EXPECT_EQ(unit_named("events"), Unit::kCount);
  EXPECT_EQ(unit_named(""), Unit::kCount);
}

TEST(ColumnScale, ShowsTimesInMilliseconds) {
  const ColumnScale seconds(Unit::kNanoseconds, 5'000'000'000);
  EXPECT_EQ(seconds.suffix(), "ms");
  EXPECT_EQ(seconds.text(4'510'698'772), "4,510.7");
  EXPECT_EQ(seconds.text(20'000), "0.0");
  const ColumnScale brief(Unit::kNanoseconds, 999'999'999);
  EXPECT_EQ(brief.suffix(), "ms");
  EXPECT_EQ(brief.text(20'000), "0.020");
  EXPECT_EQ(brief.text(999'999'999), "1,000.000");
  EXPECT_EQ(brief.text(0), "0");
  EXPECT_EQ(brief.text(10'123'456, 1), "10");
  EXPECT_EQ(seconds.text(4'510'698'772, 451), "4,510");
}

TEST(ColumnScale, ShowsSizesInOneUnitThatSuitsTheirTotal) {
  const ColumnScale bytes(Unit::kBytes, 10 * kKiB);
  EXPECT_EQ(bytes.suffix(), "B");
  EXPECT_EQ(bytes.text(10 * kKiB), "10,240");
  const ColumnScale kibibytes(Unit::kBytes, 10 * kMiB);
  EXPECT_EQ(kibibytes.suffix(), "KiB");
  EXPECT_EQ(kibibytes.text(1536), "1.5");
  const ColumnScale mebibytes(Unit::kBytes, 20 * kGiB);
  EXPECT_EQ(mebibytes.suffix(), "MiB");
  EXPECT_EQ(mebibytes.text(20 * kGiB), "20,480.0");
}

TEST(ColumnScale, ShowsCountsAsTheyAre) {
  const ColumnScale counts(Unit::kCount, 1u << 31);
  EXPECT_EQ(counts.suffix(), "");
  EXPECT_EQ(counts.text(1234567), "1,234,567");
}

}  // namespace
}  // namespace copse::report
