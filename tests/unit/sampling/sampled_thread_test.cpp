#include "shadowstack/sampling/sampled_thread.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstdint>

namespace copse::sampling {
namespace {

using shadowstack::ThreadHeader;

// A program that comes to the same place every fifth signal: a frame of 20 ms, say, at signals 4 ms apart.
TEST(SampledThread, TakesTheSameShareOfEachPlaceOfAProgramInStepWithTheSignals) {
  constexpr int kPlaces = 5;
  constexpr int kTimes = 2000;
  for (const double share : {0.1, 0.2, 0.4, 0.6, 0.7}) {
    for (const unsigned seed : {1u, 2u, 3u}) {
      SampledThread thread;
      ThreadHeader header;
      thread.begin(header, {}, share, std::minstd_rand(seed));
      std::array<int, kPlaces> found{};
      for (int signal = 0; signal < kTimes * kPlaces; ++signal) {
        header.word = static_cast<std::uint64_t>(signal % kPlaces);
        thread.take(0);
        thread.mark();
        thread.drain([&](const Sample& sample) { ++found[sample.place.word]; });
      }
      const double each = share * kTimes;
      for (const int times : found) {
        // Within four standard deviations.
        EXPECT_LT(std::abs(times - each), 4 * std::sqrt(each * (1 - share)))
            << "share " << share << ", seed " << seed;
      }
    }
  }
}

TEST(SampledThread, TakesEverySignalWhereThatIsTheShare) {
  SampledThread thread;
  ThreadHeader header;
  thread.begin(header, {}, 1, std::minstd_rand(1));
  for (std::uint32_t i = 0; i < SampledThread::kRoom; ++i) thread.take(0);
  EXPECT_EQ(thread.mark().samples, SampledThread::kRoom);
}

}  // namespace
}  // namespace copse::sampling
