#include "encoders/pcc.h"

#include <cmath>

namespace copse::encoders {

double expected_collisions(double contexts, int bits) {
  const double values = std::ldexp(1.0, bits);
  return contexts + values * std::expm1(contexts * std::log1p(-1.0 / values));
}

template <typename Word>
MemoryUse PccEncoder<Word>::memory() const {
  MemoryUse use;
  use.live_bytes = threads_.bytes();
  threads_.for_each([&](const Thread& t) {
    use.live_bytes += t.frames.capacity() * sizeof(Word);
    use.replay_bytes += t.frames.capacity() * (sizeof(Frame) - sizeof(Word));
  });
  return use;
}

template class PccEncoder<std::uint32_t>;
template class PccEncoder<std::uint64_t>;

}  // namespace copse::encoders
