// Where tokens are taken: at every k-th call, at marks, and at random operations.
//
// A sample is a position in the stream, the thread it is on, and the true context as a node of the
// survey's tree: 16 bytes, so that a hundred thousand cost nothing.
// Where no period is asked for, it is the smallest power of two that keeps at most kMostSamples:
// the stream's length need not be known in advance.
#pragma once

#include <cstdint>
#include <random>
#include <vector>

namespace copse::study {

struct Sample {
  std::uint64_t position;  // operations before the token is taken
  std::uint32_t node;
  std::uint32_t slot;
};

struct SampleOptions {
  std::uint64_t every = 0;       // calls; 0: chosen
  std::uint64_t most = 1 << 17;  // samples at calls when `every` is chosen, and samples at marks
  std::uint64_t random_count = 0;
  std::uint64_t seed = 1;
};

// Keeps each item whose number is a multiple of the period.
class PeriodicSamples {
 public:
  // period 0: begins with 1 and doubles whenever there are more than `most`.
  PeriodicSamples(std::uint64_t period, std::uint64_t most)
      : fixed_(period != 0), period_(fixed_ ? period : 1), most_(most) {}

  void offer(const Sample& sample) {
    if (++count_ % period_ == 0) keep(sample);
  }
  std::uint64_t count() const noexcept { return count_; }
  std::uint64_t period() const noexcept { return period_; }
  const std::vector<Sample>& samples() const noexcept { return samples_; }

 private:
  void keep(const Sample& sample);

  const bool fixed_;
  std::uint64_t period_;
  const std::uint64_t most_;
  std::uint64_t count_ = 0;
  std::vector<Sample> samples_;
};

class Sampler {
 public:
  explicit Sampler(const SampleOptions& options)
      : calls_(options.every, options.most),
        marks_(0, options.most),
        random_count_(options.random_count),
        random_(options.seed) {}

  void at_call(const Sample& sample) { calls_.offer(sample); }
  void at_mark(const Sample& sample) { marks_.offer(sample); }
  void at_operation(const Sample& sample) {
    if (random_count_ != 0) offer_to_reservoir(sample);
  }

  const PeriodicSamples& calls() const noexcept { return calls_; }
  const PeriodicSamples& marks() const noexcept { return marks_; }
  // All samples in order of position, each position once.
  std::vector<Sample> take() &&;

 private:
  void offer_to_reservoir(const Sample& sample);

  PeriodicSamples calls_, marks_;
  const std::uint64_t random_count_;
  std::mt19937_64 random_;
  std::uint64_t operations_ = 0;
  std::vector<Sample> reservoir_;
};

}  // namespace copse::study
