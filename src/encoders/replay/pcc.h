// Probabilistic calling context (Bond and McKinley, OOPSLA 2007): V' = 3 V + c(site) modulo 2^w,
// where c is a random constant of the call site. No graph, no tables, no decode: a token tells
// contexts apart up to collisions, whose number the birthday bound gives.
//
// The event itself is the last site, so a token mixes the running method in the same way.
// Token: w bits. State: one word per frame. Return discipline: restore.
#pragma once

#include <algorithm>
#include <cmath>

#include "base/flat_map.h"
#include "encoders/replay/encoder.h"
#include "encoders/replay/frame_threads.h"

namespace copse::encoders {

// Returns the constant of a site: a fixed pseudo-random function of it (the finaliser of SplitMix64), as good as drawn
// numbers and the same in every process. A thread's entry adds nothing.
constexpr std::uint64_t site_constant(std::uint64_t site_key) noexcept {
  if (site_key == 0) return 0;
  std::uint64_t z = site_key + kHashMultiplier;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
  return z ^ (z >> 31);
}

template <typename Word>
struct PccThread {
  struct Frame {
    Word value = 0;
    MethodId method{};
  };
  std::vector<Frame> frames = {Frame{}};
};

// States of its threads. Compiled code would keep only the values.
template <typename Word>
class PccThreads : public FrameThreads<PccThread<Word>> {
 public:
  using Thread = PccThread<Word>;
  using Frame = typename Thread::Frame;

 protected:
  MemoryUse thread_memory() const {
    MemoryUse use{.live_bytes = this->threads_.bytes()};
    this->threads_.for_each([&](const Thread& t) {
      use.live_bytes += t.frames.capacity() * sizeof(Word);
      use.replay_bytes += t.frames.capacity() * (sizeof(Frame) - sizeof(Word));
    });
    return use;
  }
};

template <typename Word>
class PccEncoder : public PccThreads<Word> {
 public:
  using typename PccThreads<Word>::Thread;
  using typename PccThreads<Word>::Frame;

  void call(Thread& thread, EdgeKey edge) {
    const Word value = next(thread.frames.back().value, site_key(edge));
    thread.frames.push_back({value, callee_of(edge)});
  }
  void token(const Thread& thread, Token& out) const {
    const Frame& frame = thread.frames.back();
    out.put(next(frame.value, site_key(CallSite{frame.method, kNoSite})), sizeof(Word));
  }
  Result<CallPath> decode(const Token&) const {
    return Status::error(Fault::kUnsupported, "pcc token: a hash cannot be decoded");
  }
  MemoryUse memory() const { return this->thread_memory(); }

  static constexpr Word next(Word value, std::uint64_t site_key) noexcept {
    return static_cast<Word>(3 * value + static_cast<Word>(site_constant(site_key)));
  }
};

// Returns the expected number of values that `contexts` distinct contexts lose to collisions when each draws one of
// 2^bits values (birthday bound).
inline double expected_collisions(double contexts, int bits) {
  const double values = std::ldexp(1.0, bits);
  // Nearly equal numbers would cancel out: the first terms of the series for few contexts.
  if (contexts * contexts < values * 1e-4)
    return contexts * std::max(contexts - 1, 0.0) / 2 / values;
  return contexts + values * std::expm1(contexts * std::log1p(-1.0 / values));
}

using Pcc32Encoder = PccEncoder<std::uint32_t>;
using Pcc64Encoder = PccEncoder<std::uint64_t>;

}  // namespace copse::encoders
