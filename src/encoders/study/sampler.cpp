#include "encoders/study/sampler.h"

#include <algorithm>

namespace copse::study {

void PeriodicSamples::keep(const Sample& sample) {
  samples_.push_back(sample);
  frames_ += sample.depth;
  // One stays, however deep it is.
  while (!fixed_ && (samples_.size() > most_ || (frames_ > most_frames_ && samples_.size() > 1))) {
    // Item i has number (i + 1) * period: every second one stays.
    frames_ = 0;
    for (std::size_t i = 1; i < samples_.size(); i += 2) {
      samples_[i / 2] = samples_[i];
      frames_ += samples_[i].depth;
    }
    samples_.resize(samples_.size() / 2);
    period_ *= 2;
  }
}

// Each operation so far has the same chance to be among those kept.
void Sampler::offer_to_reservoir(const Sample& sample) {
  ++operations_;
  if (reservoir_.size() < random_count_) {
    reservoir_.push_back(sample);
    return;
  }
  const std::uint64_t place = random_() % operations_;
  if (place < random_count_) reservoir_[static_cast<std::size_t>(place)] = sample;
}

std::vector<Sample> Sampler::take() && {
  std::vector<Sample> all = std::move(reservoir_);
  all.insert(all.end(), calls_.samples().begin(), calls_.samples().end());
  all.insert(all.end(), marks_.samples().begin(), marks_.samples().end());
  const auto before = [](const Sample& a, const Sample& b) { return a.position < b.position; };
  const auto same = [](const Sample& a, const Sample& b) { return a.position == b.position; };
  std::sort(all.begin(), all.end(), before);
  all.erase(std::unique(all.begin(), all.end(), same), all.end());
  return all;
}

}  // namespace copse::study
