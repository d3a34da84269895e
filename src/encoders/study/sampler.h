// Chooses the places where tokens are taken: every k-th call, marks, and random operations.
//
// A sample is a position in the stream, its thread, and the true context as a node of the survey's tree: 24 bytes, so
// that a hundred thousand samples are cheap.
// Without a given period, the period is the smallest power of two that keeps at most SampleOptions::most samples with
// at most SampleOptions::most_frames frames: the stream's length need not be known in advance. Decoding takes a step
// per frame, so a recursion a hundred thousand calls deep gets fewer samples.
#pragma once

#include <cstdint>
#include <random>
#include <vector>

namespace copse::study {

struct Sample {
  std::uint64_t position;  // operations before the token
  std::uint32_t node;
  std::uint32_t slot;
  std::uint32_t depth = 0;  // frames of the context
};

struct SampleOptions {
  std::uint64_t every = 0;       // calls; 0: chosen automatically
  std::uint64_t most = 1 << 17;  // samples at calls when `every` is chosen, and samples at marks
  std::uint64_t most_frames = 1 << 23;  // sum over these contexts; as many again at marks
  std::uint64_t random_count = 0;
  std::uint64_t seed = 1;
};

// Keeps each item whose number is a multiple of the period.
class PeriodicSamples {
 public:
  // period 0: begins with 1 and doubles whenever there are more than `most` samples or `most_frames` frames.
  PeriodicSamples(std::uint64_t period, std::uint64_t most, std::uint64_t most_frames)
      : fixed_(period != 0), period_(fixed_ ? period : 1), most_(most), most_frames_(most_frames) {}

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
  const std::uint64_t most_, most_frames_;
  std::uint64_t frames_ = 0;  // sum over the samples
  std::uint64_t count_ = 0;
  std::vector<Sample> samples_;
};

class Sampler {
 public:
  explicit Sampler(const SampleOptions& options)
      : calls_(options.every, options.most, options.most_frames),
        marks_(0, options.most, options.most_frames),
        random_count_(options.random_count),
        random_(options.seed) {}

  void at_call(const Sample& sample) { calls_.offer(sample); }
  void at_mark(const Sample& sample) { marks_.offer(sample); }
  void at_operation(const Sample& sample) {
    if (random_count_ != 0) offer_to_reservoir(sample);
  }

  const PeriodicSamples& calls() const noexcept { return calls_; }
  const PeriodicSamples& marks() const noexcept { return marks_; }
  // Returns all samples in order of position, each position once.
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
