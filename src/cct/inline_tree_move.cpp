// How an in-line tree hands its counts to the master tree, and shrinks to what its thread's live
// frames need.
#include <algorithm>
#include <atomic>
#include <cstring>
#include <new>
#include <utility>

#include "cct/inline_tree.h"

namespace copse {
namespace {

std::uint32_t number_in(std::uint64_t slot) noexcept {
  return *reinterpret_cast<const std::uint32_t*>(slot);
}

// One read: the thread may be counting, when recording ends. What it writes then is not read again.
std::uint64_t take_calls(InlineNode& node) noexcept {
  const std::atomic_ref<std::uint64_t> calls(node.calls);
  const std::uint64_t counted = calls.load(std::memory_order_relaxed);
  if (counted != 0) calls.store(0, std::memory_order_relaxed);
  return counted;
}

}  // namespace

bool InlineTree::has_slot(const InlineNode& node, std::uint64_t slot) const noexcept {
  return slot >= slot_address(node, 0) && slot < slot_address(node, node.slots);
}

InlineTree::Chain InlineTree::move_counts(Cct& tree, std::uint32_t most_nodes, std::uint64_t slot,
                                          Totals& totals) {
  totals.first_key = first_key_;
  if (lost_ != 0) {
    const std::uint64_t calls = take_calls(region_.node(lost_));
    totals.lost += calls;
    totals.calls += calls;
  }
  Chain chain;
  if (root_ == 0) return chain;
  // The path to the node at hand, and where among its callees the walk is.
  struct Step {
    std::uint32_t node;
    ContextKey key;
    std::uint32_t slot = 0;
    std::uint32_t listed = 0;  // next callee in the slot's list, 0: go to the next slot
    const Chain* wide = nullptr;
    std::size_t next_wide = 0;
  };
  std::vector<Step> path;
  // Nodes of the path in `tree`, as far as calls were found below them: what was never called since
  // the last time makes no node there.
  std::vector<std::uint32_t> theirs;
  const auto open = [&](std::uint32_t number, ContextKey key) {
    path.push_back({number, key});
    const InlineNode& node = region_.node(number);
    if (!has_slot(node, slot)) return;
    for (const Step& step : path) chain.push_back(step.node);
  };
  const auto next_callee = [&](Step& step) -> std::uint32_t {
    const InlineNode& node = region_.node(step.node);
    for (;;) {
      if (step.wide != nullptr && step.next_wide < step.wide->size()) {
        return (*step.wide)[step.next_wide++];
      }
      if (step.listed != 0) return std::exchange(step.listed, region_.node(step.listed).next);
      if (step.slot == node.slots) return 0;
      const std::uint64_t at = slot_address(node, step.slot++);
      step.wide = nullptr;
      if (number_in(at) == 0) continue;
      if (const auto wide = wide_.find(at); wide != wide_.end()) {
        step.wide = &wide->second;
        step.next_wide = 0;
      } else {
        step.listed = number_in(at);
      }
    }
  };
  const auto add = [&](std::uint64_t calls) {
    while (theirs.size() < path.size()) {
      const std::uint32_t above = theirs.back();
      theirs.push_back(above == Cct::kOverflowNode ? above
                                                   : tree.child(above, path[theirs.size()].key));
      tree.fold_above(most_nodes, theirs);
    }
    tree.add_calls(theirs.back(), calls);
    totals.calls += calls;
  };
  open(root_, 0);
  theirs.push_back(raw(kRootNode));
  while (!path.empty()) {
    Step& step = path.back();
    const std::uint32_t callee = next_callee(step);
    if (callee == 0) {
      path.pop_back();
      theirs.resize(std::min(theirs.size(), path.size()));
      continue;
    }
    InlineNode& node = region_.node(callee);
    const auto site = SiteOrdinal{static_cast<std::uint16_t>(step.slot - 1)};
    open(callee, context_key(site, MethodId{node.method}));
    theirs.reserve(path.size());
    if (const std::uint64_t calls = take_calls(node); calls != 0) add(calls);
  }
  return chain;
}

void InlineTree::keep_only(const Chain& chain) noexcept {
  made_bytes_ = 0;
  Chain kept;
  try {
    kept = chain;
    gaps_.clear();
    gaps_.reserve(kept.size() + parts_.size() + 1);
  } catch (const std::bad_alloc&) {
    return;
  }
  forget_wide();
  kept_bytes_ = 0;
  for (std::size_t i = 0; i < chain.size(); ++i) {
    InlineNode& node = region_.node(chain[i]);
    kept_bytes_ += inline_node_bytes(node.slots);
    node.next = 0;
    std::memset(reinterpret_cast<void*>(slot_address(node, 0)), 0,
                node.slots * sizeof(std::uint32_t));
    if (i == 0) continue;
    *reinterpret_cast<std::uint32_t*>(node.entry) = chain[i];
  }
  std::sort(kept.begin(), kept.end());
  std::size_t kept_parts = 0;
  for (const Part part : parts_) {
    const std::uint64_t end = part.chunk.start + part.chunk.bytes();
    const auto address = [this](std::uint32_t number) {
      return reinterpret_cast<std::uint64_t>(&region_.node(number));
    };
    const auto first = std::partition_point(kept.begin(), kept.end(), [&](std::uint32_t number) {
      return address(number) < part.chunk.start;
    });
    const auto last = std::partition_point(
        first, kept.end(), [&](std::uint32_t number) { return address(number) < end; });
    const bool is_lost = lost_ != 0 && address(lost_) == part.chunk.start;
    if (first == last && !is_lost) {
      region_.give_back(part.chunk, part.used);
      continue;
    }
    // What is beyond the part's use is a gap too, so the whole of it is to be cleared in the end.
    parts_[kept_parts++] = {part.chunk, is_lost ? part.used : part.chunk.bytes()};
    if (!is_lost) add_gaps(part, {first, last});
  }
  parts_.resize(kept_parts);
}

// Between nodes of one part, and behind the last. There is room for as many.
void InlineTree::add_gaps(const Part& part, std::span<const std::uint32_t> kept) noexcept {
  constexpr std::uint64_t kWorthKeeping = 64;
  const std::uint64_t used_end = part.chunk.start + part.used;
  std::uint64_t begin = part.chunk.start;
  const auto add = [&](std::uint64_t end) {
    if (begin < std::min(end, used_end)) {
      std::memset(reinterpret_cast<void*>(begin), 0, std::min(end, used_end) - begin);
    }
    if (end >= begin + kWorthKeeping) gaps_.push_back({begin, end});
  };
  for (const std::uint32_t number : kept) {
    const InlineNode& node = region_.node(number);
    const auto at = reinterpret_cast<std::uint64_t>(&node);
    add(at);
    begin = at + inline_node_bytes(node.slots);
  }
  add(part.chunk.start + part.chunk.bytes());
}

}  // namespace copse
