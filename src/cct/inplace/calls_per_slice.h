// How many slices called a method how often (slices.h). Numbers below kExact are kept as they are, larger ones in
// buckets whose width is less than 0.8 % of their values; the greatest is always exact.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace copse::cct {

class CallsPerSlice {
 public:
  static constexpr std::uint64_t kExact = 256;
  // Slices with the numbers of calls from `least` on, up to the next bucket's.
  struct Bucket {
    std::uint64_t least = 0;
    std::uint64_t slices = 0;
  };

  // Throws std::bad_alloc. REQUIRES: calls is not 0.
  void add(std::uint64_t calls, std::uint64_t slice) {
    Bucket& bucket = bucket_from(least_in_bucket(calls));
    ++bucket.slices;
    ++slices_;
    calls_ += calls;
    if (calls > most_) {
      most_ = calls;
      most_in_ = slice;
    }
  }

  std::uint64_t slices() const noexcept { return slices_; }    // that called the method at all
  std::uint64_t calls() const noexcept { return calls_; }      // in all of them
  std::uint64_t most() const noexcept { return most_; }        // in one of them
  std::uint64_t most_in() const noexcept { return most_in_; }  // the first such slice
  const std::vector<Bucket>& buckets() const noexcept { return buckets_; }  // ascending

  static std::uint64_t least_in_bucket(std::uint64_t calls) noexcept {
    if (calls < kExact) return calls;
    const int low_bits = static_cast<int>(std::bit_width(calls)) - kBits;
    return calls >> low_bits << low_bits;
  }

 private:
  static constexpr int kBits = 8;  // of a number that tell its bucket

  Bucket& bucket_from(std::uint64_t least) {
    if (last_ < buckets_.size() && buckets_[last_].least == least) return buckets_[last_];
    const auto at = std::ranges::lower_bound(buckets_, least, {}, &Bucket::least);
    last_ = static_cast<std::size_t>(at - buckets_.begin());
    if (at != buckets_.end() && at->least == least) return *at;
    return *buckets_.insert(at, {least, 0});
  }

  std::uint64_t slices_ = 0, calls_ = 0, most_ = 0, most_in_ = 0;
  std::vector<Bucket> buckets_;
  std::size_t last_ = 0;  // bucket used last
};

}  // namespace copse::cct
