// The recorded calls that a compiler put into one piece of machine code, and how they correct a sampled context.
//
// Probes store a thread's word. In code that a compiler made of a method and its callees together, the word lags
// behind: a store is dropped if another one replaces it before any reader that the compiler knows of, and what a
// method computes is moved to where the result is used, behind the stores of other probes. Outside that code the
// word is right. So the method frame that the code belongs to is on the word's path, or is the next callee there, and
// the interrupted instruction tells which of the inlined methods runs.
//
// Threads: constant once built.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/call_record.h"
#include "base/ids.h"

namespace copse::shadowstack {

class InlinedCalls {
 public:
  // A chain of inlined calls, outermost first: the code's own method, what it calls, and so on. Methods without probes
  // are left out, so there may be several outermost ones. 0 is the empty chain.
  using Chain = std::uint32_t;
  // Returns the chain with one more call, added if there is none. The call site of an outermost method is kNoSite. Throws
  // std::bad_alloc.
  Chain with_call(Chain outer, ContextKey call);

  // Innermost frames of a path to look at. Compilers inline no deeper.
  static constexpr std::size_t kMostFrames = 48;

  struct Correction {
    std::size_t left = 0;             // innermost frames of the path that are not live
    std::vector<ContextKey> entered;  // calls from there on, outermost first
  };
  // Corrects the path of a thread's word by the chain of the interrupted instruction. `frames`: at most the kMostFrames
  // innermost ones, outermost first. `site`: call site of the word. An `entered` call that was never made shows that the
  // code's frame is not where it was looked for. In a recursion the frame may be another one of the same method. Throws
  // std::bad_alloc. REQUIRES: `chain` is not 0.
  Correction correct(std::span<const ContextKey> frames, SiteOrdinal site, Chain chain) const;

 private:
  struct Call {
    ContextKey key;
    Chain outer, first_inner = 0, next = 0;
  };

  Chain inside(Chain outer, ContextKey call) const noexcept;
  Chain outermost(MethodId method) const noexcept;
  bool has_inlined(Chain outer, std::span<const ContextKey> calls) const noexcept;
  const Call& at(Chain chain) const noexcept { return calls_[chain]; }

  std::vector<Call> calls_{{0, 0}};  // by chain; the first one is the empty chain
};

// A place in machine code: a chain of `calls`.
struct CodePlace {
  const InlinedCalls& calls;
  InlinedCalls::Chain chain;
};

}  // namespace copse::shadowstack
