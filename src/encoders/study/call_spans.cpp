#include "encoders/study/call_spans.h"

namespace copse::study {

CallSpans::CallSpans(const std::vector<Op>& ops) : ops_(ops) {
  struct Thread {
    std::uint32_t life = 0;
    std::vector<std::uint32_t> live;  // places in calls_
  };
  std::vector<Thread> threads;
  for (std::uint32_t i = 0; i < ops.size(); ++i) {
    const Op& op = ops[i];
    if (op.slot >= threads.size()) threads.resize(op.slot + 1);
    Thread& thread = threads[op.slot];
    if (op.kind == OpKind::kStart) thread = {life_count_++, {}};
    op_lives_.push_back(thread.life);
    if (op.kind == OpKind::kCall) {
      parents_.push_back(thread.live.empty() ? kNone : thread.live.back());
      lives_.push_back(thread.life);
      closers_.push_back(kNone);
      thread.live.push_back(static_cast<std::uint32_t>(calls_.size()));
      calls_.push_back(i);
    } else if (op.kind == OpKind::kReturn || op.kind == OpKind::kUnwind) {
      for (std::uint32_t k = op.frames(); k > 0; --k) {
        closers_[thread.live.back()] = i;
        thread.live.pop_back();
      }
    }
  }
}

bool CallSpans::below(std::uint32_t call, std::uint32_t ancestor) const noexcept {
  while (call != kNone && call > ancestor) call = parents_[call];
  return call == ancestor;
}

std::vector<Op> CallSpans::without(std::vector<bool> removed) const {
  for (std::uint32_t call = 0; call < calls_.size(); ++call) {
    if (parents_[call] != kNone && removed[parents_[call]]) removed[call] = true;
  }
  return build(ops_, removed);
}

std::vector<Op> CallSpans::with_body_of(std::uint32_t outer, std::uint32_t inner) const {
  std::vector<bool> removed(calls_.size());
  for (std::uint32_t call = outer + 1; call < calls_.size(); ++call) {
    const std::uint32_t parent = parents_[call];
    if (parent == kNone || call == inner) continue;
    removed[call] = parent == outer || (parent != inner && removed[parent]);
  }
  removed[inner] = true;
  return build(ops_, removed);
}

std::vector<Op> CallSpans::without_frame(std::uint32_t call) const {
  std::vector<bool> removed(calls_.size());
  removed[call] = true;
  const std::uint32_t caller = parents_[call];
  std::vector<Op> rewritten = ops_;
  for (std::uint32_t below = call + 1; below < calls_.size(); ++below) {
    if (parents_[below] != call) continue;
    Op& op = rewritten[calls_[below]];
    const CallSite site =
        caller == kNone ? CallSite{} : CallSite{callee(caller), site_of(op.edge()).ordinal};
    op = call_op(op.slot, edge_key(site, callee_of(op.edge())));
  }
  return build(rewritten, removed);
}

std::vector<Op> CallSpans::build(const std::vector<Op>& ops,
                                 const std::vector<bool>& removed) const {
  std::vector<std::uint32_t> fewer(ops.size());  // frames a return or unwind no longer ends
  std::vector<bool> needed(life_count_ + 1);     // lives with a call or a mark
  std::vector<bool> gone(ops.size());
  for (std::uint32_t call = 0; call < calls_.size(); ++call) {
    gone[calls_[call]] = removed[call];
    if (!removed[call]) needed[lives_[call]] = true;
    if (removed[call] && closers_[call] != kNone) ++fewer[closers_[call]];
  }
  for (std::size_t i = 0; i < ops.size(); ++i) {
    if (ops[i].kind == OpKind::kMark) needed[op_lives_[i]] = true;
  }
  std::vector<Op> kept;
  for (std::size_t i = 0; i < ops.size(); ++i) {
    Op op = ops[i];
    const bool closes = op.kind == OpKind::kReturn || op.kind == OpKind::kUnwind;
    if (closes) op.value -= fewer[i];
    if (gone[i] || !needed[op_lives_[i]] || (closes && op.value == 0)) continue;
    kept.push_back(op);
  }
  return kept;
}

}  // namespace copse::study
