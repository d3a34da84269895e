#include "cct/inline_tree.h"

#include <algorithm>
#include <atomic>
#include <new>
#include <utility>

namespace copse::cct {
namespace {

// A slot with more callees than this is wide.
constexpr std::size_t kMostListed = 8;
constexpr int kMostChunkLog = 20;
constexpr std::uint64_t kOwnSlot = 0;
// Of the tables of wide slots, per callee, with the share of buckets and of the allocator.
constexpr std::int64_t kWideCalleeBytes = 56;

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
  return reinterpret_cast<std::uint64_t>(&node) + kInlineSlots + slot * kInlineSlotBytes;
}

std::uint64_t InlineTree::wide_key(std::uint64_t slot, MethodId method) const noexcept {
  return (slot - region_.start()) / kInlineSlotBytes << 24 | raw(method);
}

InlineNode* InlineTree::room_for(std::uint64_t bytes) noexcept {
  if (const std::uint64_t found = room_in_gaps(bytes); found != 0) {
    return reinterpret_cast<InlineNode*>(found);
  }
  if ((parts_.empty() || parts_.back().used + bytes > parts_.back().chunk.bytes()) &&
      !add_part(bytes)) {
    return nullptr;
  }
  Part& part = parts_.back();
  auto* node = reinterpret_cast<InlineNode*>(part.chunk.start + part.used);
  part.used += bytes;
  return node;
}

// What is left of a gap must be a gap.
bool InlineTree::fits(const Gap& gap, std::uint64_t bytes) noexcept {
  const std::uint64_t has = gap.end - gap.begin;
  return has == bytes || has >= bytes + kLeastInlineBytes;
}

// The bytes are zero but for what made them a gap, or part of one, before.
void InlineTree::mark_gap(std::uint64_t begin, std::uint64_t end) noexcept {
  if (end < begin + kLeastInlineBytes) return;
  auto* gap = reinterpret_cast<InlineNode*>(begin);
  gap->slots = inline_slots_within(end - begin);
  shadowstack::in_this_order();
  gap->entry = kInlineGap;
  shadowstack::in_this_order();
}

// 0: in none of those looked at. Gaps too small for what is needed are given up.
std::uint64_t InlineTree::room_in_gaps(std::uint64_t bytes) noexcept {
  constexpr std::size_t kLookedAt = 8;
  constexpr std::uint64_t kLarge = 1024;  // nodes that are no reason to give up a gap
  while (!gaps_.empty()) {
    for (std::size_t i = 0; i < std::min(gaps_.size(), kLookedAt); ++i) {
      Gap& gap = gaps_[gaps_.size() - 1 - i];
      if (!fits(gap, bytes)) continue;
      const std::uint64_t found = std::exchange(gap.begin, gap.begin + bytes);
      mark_gap(gap.begin, gap.end);
      return found;
    }
    if (bytes > kLarge) return 0;
    gaps_.pop_back();
  }
  return 0;
}

// Of the usual size, or smaller where there is no such chunk.
bool InlineTree::add_part(std::uint64_t least_bytes) noexcept {
  try {
    if (parts_.size() == parts_.capacity()) parts_.reserve(2 * parts_.size() + 1);
  } catch (const std::bad_alloc&) {
    return false;
  }
  const int least = InlineRegion::log_for(least_bytes);
  InlineRegion::Chunk chunk;
  for (int log = std::max(next_log_, least); log >= least && chunk.start == 0; --log) {
    chunk = region_.take(log, owner_);
  }
  if (chunk.start == 0 && over_bound_) chunk = region_.take(least, owner_, true);
  if (chunk.start == 0) return false;
  parts_.push_back({chunk, 0});
  next_log_ = std::min(chunk.log + 1, kMostChunkLog);
  return true;
}

// `slot` kOwnSlot: the node's own first one.
InlineNode* InlineTree::make(MethodId method, std::uint64_t slot, std::uint32_t slots) noexcept {
  const std::uint64_t bytes = inline_node_bytes(slots);
  InlineNode* node = room_for(bytes);
  if (node == nullptr) return nullptr;
  made_bytes_ += bytes;
  if (slot == kOwnSlot) slot = slot_address(*node, 0);
  node->slots = slots;
  node->method = raw(method);
  shadowstack::in_this_order();
  node->entry = slot;  // now it is one
  ++node_count_;
  region_.note_node(region_.number(*node));
  return node;
}

std::uint64_t InlineTree::root_slot() noexcept {
  if (root_ == 0) {
    over_bound_ = true;  // a thread without a tree would lose all its calls
    InlineNode* root = make(kNoMethod, kOwnSlot, 1);
    over_bound_ = false;
    if (root == nullptr) return 0;
    root_ = region_.number(*root);
  }
  return slot_address(region_.node(root_), 0);
}

// A node of every possible slot, all empty for ever, so that whatever hangs below comes here again.
std::uint32_t InlineTree::lost() noexcept {
  if (lost_ != 0) return lost_;
  const std::uint64_t bytes = inline_node_bytes(kMostInlineSlots);
  const int log = InlineRegion::log_for(bytes);
  try {
    parts_.reserve(parts_.size() + 1);
  } catch (const std::bad_alloc&) {
    return 0;
  }
  const InlineRegion::Chunk chunk = region_.take(log, owner_, true);
  if (chunk.start == 0) return 0;
  // Only its first bytes are written, and it is never a part to allocate from.
  parts_.insert(parts_.begin(), {chunk, sizeof(InlineNode)});
  auto* node = reinterpret_cast<InlineNode*>(chunk.start);
  node->slots = kMostInlineSlots;
  shadowstack::in_this_order();
  node->entry = slot_address(*node, 0);
  lost_ = region_.number(*node);
  region_.note_node(lost_);
  return lost_;
}

bool InlineTree::is_lost(std::uint64_t slot) const noexcept {
  if (lost_ == 0) return false;
  const InlineNode& node = region_.node(lost_);
  return slot >= slot_address(node, 0) && slot < slot_address(node, kMostInlineSlots);
}

std::uint32_t InlineTree::find(std::uint64_t slot, MethodId method, std::size_t& listed) noexcept {
  listed = 0;
  for (std::uint32_t number = load_slot(slot); number != 0; number = region_.node(number).next) {
    if (region_.node(number).method == raw(method)) return number;
    ++listed;
  }
  if (const auto known = wide_callees_.find(wide_key(slot, method)); known != wide_callees_.end()) {
    move_to_front(slot, known->second);
    return known->second;
  }
  return 0;
}

std::uint32_t InlineTree::place(std::uint64_t slot, MethodId method, std::uint32_t slots) noexcept {
  if (is_lost(slot)) return lost_;
  std::size_t listed;
  if (const std::uint32_t found = find(slot, method, listed); found != 0) return found;
  if (merged_.any()) return place_merged(slot, method, slots);
  return add(slot, method, slots, listed);
}

// A callee that the slot does not show: that of the node the slot's is an alias of, or a new one.
std::uint32_t InlineTree::place_merged(std::uint64_t slot, MethodId method,
                                       std::uint32_t slots) noexcept {
  const std::uint32_t frame = region_.node_with(slot);
  const std::uint32_t caller = self_or_aliased(frame);
  const std::uint64_t same = same_slot(slot, frame, caller);
  std::size_t listed;
  std::uint32_t callee = find(same, method, listed);
  if (callee == 0) {
    const std::uint32_t above = merges(method) ? on_path(caller, method) : 0;
    callee = add(same, method, slots, listed);
    if (callee != 0 && above != 0) {
      try {
        aliases_.emplace(callee, above);
        region_.count_beside(kAliasBytes);
      } catch (const std::bad_alloc&) {
        // A context of its own: its counts go where the alias' would have gone.
      }
    }
  }
  if (callee != 0 && same != slot) store_slot(slot, load_slot(same));
  return callee;
}

std::uint32_t InlineTree::self_or_aliased(std::uint32_t number) const noexcept {
  if (aliases_.empty()) return number;
  const auto alias = aliases_.find(number);
  return alias == aliases_.end() ? number : alias->second;
}

// The nearest node of the method from `number`, which is no alias, up to the root; 0: there is
// none.
std::uint32_t InlineTree::on_path(std::uint32_t number, MethodId method) const noexcept {
  while (number != root_) {
    const InlineNode& node = region_.node(number);
    if (node.method == raw(method)) return number;
    number = self_or_aliased(region_.node_with(node.entry));
  }
  return 0;
}

std::uint64_t InlineTree::same_slot(std::uint64_t slot, std::uint32_t from,
                                    std::uint32_t to) const noexcept {
  return slot_address(region_.node(to), 0) + (slot - slot_address(region_.node(from), 0));
}

std::uint32_t InlineTree::place_over_bound(std::uint64_t slot, MethodId method,
                                           std::uint32_t slots) noexcept {
  over_bound_ = true;
  const std::uint32_t placed = place(slot, method, slots);
  over_bound_ = false;
  return placed != 0 ? placed : lost();
}

// A callee that the slot does not have; `listed` others are in its list.
std::uint32_t InlineTree::add(std::uint64_t slot, MethodId method, std::uint32_t slots,
                              std::size_t listed) noexcept {
  const bool is_wide = !wide_.empty() && wide_.contains(slot);
  if (!is_wide && listed >= kMostListed && !widen(slot)) return 0;
  InlineNode* node = make(method, slot, slots);
  if (node == nullptr) return 0;
  const std::uint32_t made = region_.number(*node);
  if (is_wide || listed >= kMostListed) {
    try {
      Numbers& callees = wide_.find(slot)->second;
      if (callees.size() == callees.capacity()) callees.reserve(2 * callees.size());
      wide_callees_.emplace(wide_key(slot, method), made);
      callees.push_back(made);
      region_.count_beside(kWideCalleeBytes);
    } catch (const std::bad_alloc&) {
      return 0;  // the node stays unused
    }
    move_to_front(slot, made);
  } else {
    node->next = load_slot(slot);
    store_slot(slot, made);
  }
  if (root_ != 0 && first_key_ == 0 && slot == slot_address(region_.node(root_), 0)) {
    first_key_ = context_key(kNoSite, method);
  }
  return made;
}

// From now on the slot's callees are found in the tables.
bool InlineTree::widen(std::uint64_t slot) noexcept {
  try {
    Numbers callees;
    for (std::uint32_t number = load_slot(slot); number != 0; number = region_.node(number).next) {
      callees.push_back(number);
    }
    for (const std::uint32_t number : callees) {
      wide_callees_.emplace(wide_key(slot, MethodId{region_.node(number).method}), number);
    }
    const auto& list = wide_.emplace(slot, std::move(callees)).first->second;
    region_.count_beside(kWideCalleeBytes * static_cast<std::int64_t>(list.size() + 2));
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

void InlineTree::clear() noexcept {
  for (const Part& part : parts_) region_.give_back(part.chunk, part.used);
  parts_.clear();
  gaps_.clear();
  made_bytes_ = kept_bytes_ = node_count_ = 0;
  next_log_ = InlineRegion::kLeastLog;
  root_ = lost_ = 0;
  first_key_ = 0;
  forget_aliases();
  forget_wide();
}

void InlineTree::forget_aliases() noexcept {
  region_.count_beside(-kAliasBytes * static_cast<std::int64_t>(aliases_.size()));
  aliases_ = {};
}

void InlineTree::forget_wide() noexcept {
  const std::size_t counted = wide_callees_.size() + 2 * wide_.size();
  region_.count_beside(-kWideCalleeBytes * static_cast<std::int64_t>(counted));
  // Clearing looks at every bucket, and this object serves many threads.
  constexpr std::size_t kManyBuckets = 256;
  if (wide_callees_.bucket_count() > kManyBuckets) {
    wide_ = {};
    wide_callees_ = {};
  } else {
    wide_.clear();
    wide_callees_.clear();
  }
}

}  // namespace copse::cct
