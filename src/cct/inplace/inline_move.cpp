#include "cct/inplace/inline_move.h"

#include <atomic>

namespace copse::cct {
namespace {

std::uint64_t calls_to_move(const InlineNode& node, const InlineLeftOut* left_out) noexcept {
  return calls_of(node) - (left_out == nullptr ? 0 : left_out->calls);
}

void clear_calls(InlineNode& node) noexcept {
  std::atomic_ref<std::uint64_t>(node.calls).store(0, std::memory_order_relaxed);
  shadowstack::in_this_order();
}

}  // namespace

bool InlineMove::extend(std::vector<std::uint32_t>& path, ContextKey key) noexcept {
  const std::uint32_t above = path.back();
  path.push_back(above == Cct::kOverflowNode ? above : master_.callee(above, key));
  return evict(path);
}

bool InlineMove::evict(std::span<std::uint32_t> live) noexcept {
  if (!master_.is_above(most_nodes_, !live.empty())) return false;
  return run_.master.rewrite([&] { return master_.evict_above(most_nodes_, live); });
}

std::uint64_t InlineMove::to_node(InlineNode& node, InlineLeftOut* left_out,
                                  std::uint32_t master_node) noexcept {
  if (master_node == Cct::kOverflowNode) {
    const std::uint64_t calls = to_lost(node, left_out);
    master_.add_calls(master_node, calls);
    return calls;
  }
  const std::uint64_t calls = calls_to_move(node, left_out);
  note(node, master_node, master_.calls(master_node));
  master_.add_calls(master_node, calls);
  run_.master.calls += calls;
  finish(node, left_out, calls);
  return calls;
}

std::uint64_t InlineMove::to_lost(InlineNode& node, InlineLeftOut* left_out) noexcept {
  const std::uint64_t calls = calls_to_move(node, left_out);
  note(node, Cct::kOverflowNode, run_.lost);
  run_.lost += calls;
  finish(node, left_out, calls);
  return calls;
}

void InlineMove::note(const InlineNode& node, std::uint32_t master_node,
                      std::uint64_t before) noexcept {
  InlineRun::Move& move = run_.move;
  move.node = reinterpret_cast<std::uint64_t>(&node);
  move.master_node = master_node;
  move.master_before = before;
  move.calls_before = run_.master.calls;
  move.thread = reinterpret_cast<std::uint64_t>(&row_);
  move.thread_before = row_.calls;
  shadowstack::in_this_order();
  move.moving = 1;
  shadowstack::in_this_order();
}

void InlineMove::finish(InlineNode& node, InlineLeftOut* left_out, std::uint64_t calls) noexcept {
  row_.calls += calls;
  shadowstack::in_this_order();
  clear_calls(node);
  run_.move.moving = 0;
  if (left_out != nullptr) left_out->calls = 0;
}

void InlineMove::drop(InlineNode& node, InlineLeftOut& left_out) noexcept {
  clear_calls(node);
  left_out.calls = 0;
}

}  // namespace copse::cct
