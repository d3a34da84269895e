// Call structure of a short operation list, and the lists that remain without some of the calls.
//
// Removing calls leaves a legal history if everything below a call is removed too, or if the rest below it fits under
// its new caller, or is made to fit.
#pragma once

#include <cstdint>
#include <vector>

#include "encoders/study/op_stream.h"

namespace copse::study {

class CallSpans {
 public:
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};

  explicit CallSpans(const std::vector<Op>& ops);

  // Operation indices of the calls, in order, and by place in that list:
  const std::vector<std::uint32_t>& calls() const noexcept { return calls_; }
  // the call that was running, kNone for thread entries,
  std::uint32_t parent(std::uint32_t call) const noexcept { return parents_[call]; }
  // and the thread's life it belongs to: a thread that ends and starts again has two.
  std::uint32_t life(std::uint32_t call) const noexcept { return lives_[call]; }
  std::uint32_t life_count() const noexcept { return life_count_; }
  MethodId callee(std::uint32_t call) const noexcept {
    return callee_of(ops_[calls_[call]].edge());
  }
  // Returns true if `ancestor` is on the stack when `call` is made.
  bool below(std::uint32_t call, std::uint32_t ancestor) const noexcept;

  // Returns the list without the marked calls, by place in calls(), and everything below them.
  std::vector<Op> without(std::vector<bool> removed) const;
  // Returns the list with `outer`'s body replaced by that of `inner`, a call below it to the same method.
  std::vector<Op> with_body_of(std::uint32_t outer, std::uint32_t inner) const;

  // Returns the list without this one call: its callees are called by its caller, from call sites of the same ordinals,
  // or enter the thread as it did.
  std::vector<Op> without_frame(std::uint32_t call) const;

 private:
  std::vector<Op> build(const std::vector<Op>& ops, const std::vector<bool>& removed) const;

  const std::vector<Op>& ops_;
  std::vector<std::uint32_t> calls_;
  std::vector<std::uint32_t> parents_;
  std::vector<std::uint32_t> closers_;   // by call: the operation that ends it, or kNone
  std::vector<std::uint32_t> lives_;     // by call
  std::vector<std::uint32_t> op_lives_;  // by operation
  std::uint32_t life_count_ = 0;
};

}  // namespace copse::study
