// Distinguishes ids of different runs, at no cost to probes: a program gets the context's number (context_number.h)
// under a permutation that the run drew at random. Under another run's key it becomes another number. Numbers that mean
// a context are rare among 2^64: fewer than one in 2^24 as long as there are less than 2^40 of them.
//
// 0, no context, stays 0.
#pragma once

#include <cstdint>

namespace copse::ids {

class RunKey {
 public:
  constexpr explicit RunKey(std::uint64_t seed) noexcept
      : seed_(seed), first_(odd(seed)), second_(odd(seed ^ 0x5851'F42D'4C95'7F2D)) {}
  // Returns a different key on every call.
  static RunKey at_random();

  constexpr std::uint64_t seed() const noexcept { return seed_; }

  constexpr std::uint64_t hide(std::uint64_t id) const noexcept {
    return mixed(mixed(mixed(id) * first_) * second_);
  }
  constexpr std::uint64_t reveal(std::uint64_t hidden) const noexcept {
    return mixed(mixed(mixed(hidden) * inverse(second_)) * inverse(first_));
  }

 private:
  // Is its own inverse.
  static constexpr std::uint64_t mixed(std::uint64_t x) noexcept { return x ^ x >> 32; }
  static constexpr std::uint64_t odd(std::uint64_t seed) noexcept {
    std::uint64_t x = (seed ^ seed >> 30) * 0xBF58'476D'1CE4'E5B9;
    x = (x ^ x >> 27) * 0x94D0'49BB'1331'11EB;
    return (x ^ x >> 31) | 1;
  }
  // Returns the inverse of an odd number modulo 2^64: each step doubles the number of correct bits.
  static constexpr std::uint64_t inverse(std::uint64_t value) noexcept {
    std::uint64_t x = value;
    for (int step = 0; step < 5; ++step) x *= 2 - value * x;
    return x;
  }

  std::uint64_t seed_;
  std::uint64_t first_;
  std::uint64_t second_;
};

}  // namespace copse::ids
