// How a tree in place hands its counts to the master tree, and shrinks to what its thread's live
// frames need.
#include <algorithm>
#include <cstring>
#include <new>
#include <utility>

#include "cct/inline_tree.h"

namespace copse::cct {
namespace {

std::uint32_t number_in(std::uint64_t slot) noexcept {
  return *reinterpret_cast<const std::uint32_t*>(slot);
}

}  // namespace

struct InlineTree::Step {
  std::uint32_t node;
  ContextKey key;
  std::uint32_t slot = 0;    // behind the one at hand
  std::uint32_t listed = 0;  // next callee in the slot's list, 0: go to the next slot
  const Chain* wide = nullptr;
  std::size_t next_wide = 0;
};

bool InlineTree::has_slot(const InlineNode& node, std::uint64_t slot) const noexcept {
  return slot >= slot_address(node, 0) && slot < slot_address(node, node.slots);
}

std::uint32_t InlineTree::next_callee(Step& step) const {
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
}

template <typename Visit>
void InlineTree::walk(Visit visit) const {
  if (root_ == 0) return;
  std::vector<Step> path = {{root_, 0}};
  visit(std::as_const(path));
  while (!path.empty()) {
    Step& step = path.back();
    const std::uint32_t callee = next_callee(step);
    if (callee == 0) {
      path.pop_back();
      continue;
    }
    const auto site = SiteOrdinal{static_cast<std::uint16_t>(step.slot - 1)};
    path.push_back({callee, context_key(site, MethodId{region_.node(callee).method})});
    visit(std::as_const(path));
  }
}

InlineTree::Totals InlineTree::add_to(Cct& tree, std::uint32_t most_nodes) const {
  Totals totals;
  totals.first_key = first_key_;
  if (lost_ != 0) totals.lost = totals.calls = calls_of(region_.node(lost_));
  std::vector<std::uint32_t> theirs = {raw(kRootNode)};
  walk([&](const std::vector<Step>& path) {
    if (path.size() == 1) return;
    theirs.resize(std::min(theirs.size(), path.size() - 1));
    const std::uint64_t calls = calls_of(region_.node(path.back().node));
    if (calls == 0) return;
    while (theirs.size() < path.size()) {
      const std::uint32_t above = theirs.back();
      theirs.push_back(above == Cct::kOverflowNode ? above
                                                   : tree.child(above, path[theirs.size()].key));
      tree.evict_above(most_nodes, theirs);
    }
    tree.add_calls(theirs.back(), calls);
    totals.calls += calls;
  });
  return totals;
}

InlineTree::Chain InlineTree::move_counts(InlineMove& move, std::uint64_t slot, Totals& totals) {
  totals.first_key = first_key_;
  if (lost_ != 0) totals.lost = totals.calls = move.to_lost(region_.node(lost_));
  Chain chain;
  // Nodes of the path in the master, as far as calls were found below them: what was never called
  // since the last time makes no node there.
  std::vector<std::uint32_t> theirs = {raw(kRootNode)};
  walk([&](const std::vector<Step>& path) {
    InlineNode& node = region_.node(path.back().node);
    if (has_slot(node, slot)) {
      for (const Step& step : path) chain.push_back(step.node);
    }
    if (path.size() == 1) return;
    theirs.resize(std::min(theirs.size(), path.size() - 1));
    if (calls_of(node) == 0) return;
    theirs.reserve(path.size());
    while (theirs.size() < path.size()) move.extend(theirs, path[theirs.size()].key);
    totals.calls += move.to_node(node, theirs.back());
  });
  return chain;
}

// A tree that is rearranged holds no count: who reads the memory of a killed process skips it.
void InlineTree::show_parts(bool shown) noexcept {
  for (const Part& part : parts_) part.chunk.header().owner = shown ? raw(owner_) + 1 : 0;
  shadowstack::in_this_order();
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
  show_parts(false);
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
  show_parts(true);
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
    mark_gap(begin, end);
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

}  // namespace copse::cct
