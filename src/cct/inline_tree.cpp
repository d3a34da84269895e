#include "cct/inline_tree.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <new>

namespace copse {
namespace {

// A slot with more callees than this is wide.
constexpr std::size_t kMostListed = 8;
constexpr int kMostChunkLog = 20;
constexpr std::uint64_t kSlotBytes = sizeof(std::uint32_t);

std::uint32_t load_slot(std::uint64_t slot) noexcept {
  return *reinterpret_cast<const std::uint32_t*>(slot);
}

// The tree's thread reads without a lock: a node is whole before it can be found.
void store_slot(std::uint64_t slot, std::uint32_t number) noexcept {
  std::atomic_ref<std::uint32_t>(*reinterpret_cast<std::uint32_t*>(slot))
      .store(number, std::memory_order_release);
}

}  // namespace

std::uint64_t InlineTree::slot_address(const InlineNode& node, std::uint32_t slot) const noexcept {
  return reinterpret_cast<std::uint64_t>(&node) + kInlineSlots + slot * kSlotBytes;
}

std::uint64_t InlineTree::wide_key(std::uint64_t slot, MethodId method) const noexcept {
  return (slot - region_.start()) / kSlotBytes << 24 | raw(method);
}

InlineNode* InlineTree::room_for(std::uint64_t bytes) noexcept {
  if (parts_.empty() || parts_.back().used + bytes > parts_.back().chunk.bytes()) {
    const int log = std::max(next_log_, static_cast<int>(std::bit_width(bytes - 1)));
    try {
      parts_.reserve(parts_.size() + 1);
    } catch (const std::bad_alloc&) {
      return nullptr;
    }
    const InlineRegion::Chunk chunk = region_.take(log);
    if (chunk.start == 0) return nullptr;
    parts_.push_back({chunk, 0});
    next_log_ = std::min(next_log_ + 1, kMostChunkLog);
  }
  Part& part = parts_.back();
  auto* node = reinterpret_cast<InlineNode*>(part.chunk.start + part.used);
  part.used += bytes;
  return node;
}

InlineNode* InlineTree::make(MethodId method, std::uint64_t slot, std::uint32_t slots) noexcept {
  InlineNode* node = room_for(inline_node_bytes(slots));
  if (node == nullptr) return nullptr;
  node->method = raw(method);
  node->entry = slot;
  node->slots = slots;
  return node;
}

std::uint64_t InlineTree::root_slot() noexcept {
  if (root_ == 0) {
    InlineNode* root = make(kNoMethod, 0, 1);
    if (root == nullptr) return 0;
    root->entry = slot_address(*root, 0);
    root_ = region_.number(*root);
  }
  return slot_address(region_.node(root_), 0);
}

// A node of every possible slot, all empty for ever, so that whatever hangs below comes here again.
std::uint32_t InlineTree::lost() noexcept {
  if (lost_ != 0) return lost_;
  const std::uint64_t bytes = inline_node_bytes(kMostInlineSlots);
  const int log = static_cast<int>(std::bit_width(bytes - 1));
  try {
    parts_.reserve(parts_.size() + 1);
  } catch (const std::bad_alloc&) {
    return 0;
  }
  const InlineRegion::Chunk chunk = region_.take(log, true);
  if (chunk.start == 0) return 0;
  // Only its first bytes are written, and it is never a part to allocate from.
  parts_.insert(parts_.begin(), {chunk, sizeof(InlineNode)});
  auto* node = reinterpret_cast<InlineNode*>(chunk.start);
  node->entry = slot_address(*node, 0);
  node->slots = kMostInlineSlots;
  lost_ = region_.number(*node);
  return lost_;
}

bool InlineTree::is_lost(std::uint64_t slot) const noexcept {
  if (lost_ == 0) return false;
  const InlineNode& node = region_.node(lost_);
  return slot >= slot_address(node, 0) && slot < slot_address(node, kMostInlineSlots);
}

std::uint32_t InlineTree::place(std::uint64_t slot, MethodId method, std::uint32_t slots) noexcept {
  if (is_lost(slot)) return lost_;
  std::size_t listed = 0;
  for (std::uint32_t number = load_slot(slot); number != 0; number = region_.node(number).next) {
    if (region_.node(number).method == raw(method)) return number;
    ++listed;
  }
  if (const auto known = wide_callees_.find(wide_key(slot, method)); known != wide_callees_.end()) {
    move_to_front(slot, known->second);
    return known->second;
  }
  if (frozen_) return lost();
  const bool is_wide = !wide_.empty() && wide_.contains(slot);
  if (!is_wide && listed >= kMostListed && !widen(slot)) return lost();
  InlineNode* node = make(method, slot, slots);
  if (node == nullptr) return lost();
  const std::uint32_t made = region_.number(*node);
  if (root_ != 0 && first_key_ == 0 && slot == slot_address(region_.node(root_), 0)) {
    first_key_ = context_key(kNoSite, method);
  }
  if (is_wide || listed >= kMostListed) {
    try {
      std::vector<std::uint32_t>& callees = wide_.find(slot)->second;
      callees.reserve(callees.size() + 1);
      wide_callees_.emplace(wide_key(slot, method), made);
      callees.push_back(made);
    } catch (const std::bad_alloc&) {
      return lost();  // the node stays unused
    }
    move_to_front(slot, made);
    return made;
  }
  node->next = load_slot(slot);
  store_slot(slot, made);
  return made;
}

// From now on the slot's callees are found in the tables.
bool InlineTree::widen(std::uint64_t slot) noexcept {
  try {
    std::vector<std::uint32_t> callees;
    for (std::uint32_t number = load_slot(slot); number != 0; number = region_.node(number).next) {
      callees.push_back(number);
    }
    for (const std::uint32_t number : callees) {
      wide_callees_.emplace(wide_key(slot, MethodId{region_.node(number).method}), number);
    }
    const auto& list = wide_.emplace(slot, std::move(callees)).first->second;
    for (std::size_t i = 1; i < list.size(); ++i) region_.node(list[i]).next = 0;
    return true;
  } catch (const std::bad_alloc&) {
    return false;  // entries without a list are right all the same
  }
}

// The list of a wide slot is the callee of now and the one before it.
void InlineTree::move_to_front(std::uint64_t slot, std::uint32_t number) noexcept {
  const std::uint32_t before = load_slot(slot);
  if (before == number) return;
  region_.node(before).next = 0;
  region_.node(number).next = before;
  store_slot(slot, number);
}

InlineTree::Totals InlineTree::add_to(Cct& tree) const {
  Totals totals;
  totals.first_key = first_key_;
  if (lost_ != 0) totals.lost = totals.calls = region_.node(lost_).calls;
  if (root_ == 0) return totals;
  struct Step {
    std::uint32_t ours;
    std::uint32_t theirs;
  };
  std::vector<Step> open = {{root_, raw(kRootNode)}};
  while (!open.empty()) {
    const Step step = open.back();
    open.pop_back();
    const InlineNode& node = region_.node(step.ours);
    for (std::uint32_t i = 0; i < node.slots; ++i) {
      const std::uint64_t slot = slot_address(node, i);
      const auto add = [&](std::uint32_t number) {
        const InlineNode& callee = region_.node(number);
        const ContextKey key =
            context_key(SiteOrdinal{static_cast<std::uint16_t>(i)}, MethodId{callee.method});
        const std::uint32_t theirs =
            step.theirs == Cct::kOverflowNode ? step.theirs : tree.child(step.theirs, key);
        // One read: the thread may be counting.
        const std::uint64_t calls =
            std::atomic_ref<std::uint64_t>(const_cast<InlineNode&>(callee).calls)
                .load(std::memory_order_relaxed);
        tree.add_calls(theirs, calls);
        totals.calls += calls;
        open.push_back({number, theirs});
      };
      std::uint32_t number = load_slot(slot);
      if (number == 0) continue;
      if (const auto wide = wide_.find(slot); wide != wide_.end()) {
        for (const std::uint32_t callee : wide->second) add(callee);
      } else {
        for (; number != 0; number = region_.node(number).next) add(number);
      }
    }
  }
  return totals;
}

void InlineTree::clear() noexcept {
  for (const Part& part : parts_) region_.give_back(part.chunk, part.used);
  parts_.clear();
  next_log_ = InlineRegion::kLeastLog;
  frozen_ = false;
  root_ = lost_ = 0;
  first_key_ = 0;
  wide_.clear();
  wide_callees_.clear();
}

}  // namespace copse
