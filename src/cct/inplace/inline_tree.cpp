#include "cct/inplace/inline_tree.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <new>
#include <utility>

namespace copse::cct {
namespace {

// A slot with more callees than this has a table.
constexpr std::size_t kMostListed = 4;
constexpr int kMostChunkLog = 20;
constexpr std::uint64_t kOwnSlot = 0;

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

// The remainder of a gap must be a gap too, or empty.
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

// Adds a part of the usual size, or a smaller one if there is no such chunk.
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

void InlineTree::make_entry() noexcept {
  if (root_ == 0) {
    const InlineNode* root = make(kNoMethod, hangs_in_ == 0 ? kOwnSlot : hangs_in_, 1);
    if (root == nullptr) return;
    root_ = region_.number(*root);
  }
  entry_ = group_ == kNoMethod ? root_ : add(slot_address(region_.node(root_), 0), group_, 1, 0);
}

std::uint64_t InlineTree::root_slot() noexcept {
  if (entry_ == 0) {
    over_bound_ = true;  // a thread without a tree would lose all its calls
    make_entry();
    over_bound_ = false;
    if (entry_ == 0) return 0;
  }
  return slot_address(region_.node(entry_), 0);
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

// `listed`: in the list of the slot, if it has one.
std::uint32_t InlineTree::find(std::uint64_t slot, MethodId method,
                               std::size_t& listed) const noexcept {
  listed = 0;
  const std::uint32_t first = load_slot(slot);
  if (first == 0) return 0;
  if (is_table(first)) return in_table(region_.node(first), method);
  for (std::uint32_t number = first; number != 0; number = region_.node(number).next) {
    if (region_.node(number).method == raw(method)) return number;
    ++listed;
  }
  return 0;
}

std::uint32_t InlineTree::in_table(const InlineNode& table, MethodId method) const noexcept {
  for (std::uint32_t i = inline_table_hash(method);; ++i) {
    const std::uint32_t number = load_slot(slot_address(table, i & (table.slots - 1)));
    if (number == 0 || region_.node(number).method == raw(method)) return number;
  }
}

std::uint32_t InlineTree::place(std::uint64_t slot, MethodId method, std::uint32_t slots) noexcept {
  if (is_lost(slot)) return lost_;
  std::size_t listed;
  if (const std::uint32_t found = find(slot, method, listed); found != 0) {
    if (listed != 0) bring_forward(own_slot(slot), found);
    return found;
  }
  if (merged_.any()) return place_merged(slot, method, slots);
  return add(slot, method, slots, listed);
}

// Puts a callee before the others of its list if it has more calls than the first of them. Other
// slots that show the list of this one go on to show it from that first callee on; probes that then
// miss this callee come to place().
void InlineTree::bring_forward(std::uint64_t slot, std::uint32_t callee) noexcept {
  const std::uint32_t first = load_slot(slot);
  if (first == callee || is_table(first) || calls(callee) <= calls(first)) return;
  std::uint32_t before = first;
  while (before != 0 && region_.node(before).next != callee) before = region_.node(before).next;
  if (before == 0) return;
  InlineNode& node = region_.node(callee);
  region_.node(before).next = node.next;
  node.next = first;
  store_slot(slot, callee);
}

// A callee that the slot does not show: that of the node the slot's is an alias of, or a new one.
std::uint32_t InlineTree::place_merged(std::uint64_t slot, MethodId method,
                                       std::uint32_t slots) noexcept {
  const std::uint64_t same = own_slot(slot);
  std::size_t listed;
  std::uint32_t callee = find(same, method, listed);
  if (callee == 0) {
    const std::uint32_t above = merges(method) ? on_path(region_.node_with(same), method) : 0;
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

// The nearest node of the method from `number`, which is no alias, up to the root or the open slice; 0: there
// is none.
std::uint32_t InlineTree::on_path(std::uint32_t number, MethodId method) const noexcept {
  for (;;) {
    const InlineNode& node = region_.node(number);
    if (node.method == 0) return 0;
    if (node.method == raw(method)) return number;
    if (number == slice_) return 0;
    number = self_or_aliased(region_.node_with(node.entry));
  }
}

// The slot whose callees a slot shows: itself, or that of the node which its node is an alias of.
std::uint64_t InlineTree::own_slot(std::uint64_t slot) const noexcept {
  if (aliases_.empty()) return slot;
  const std::uint32_t frame = region_.node_with(slot);
  return same_slot(slot, frame, self_or_aliased(frame));
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
  const std::uint32_t first = load_slot(slot);
  std::uint32_t table = first != 0 && is_table(first) ? first : 0;
  const std::size_t callees = table != 0 ? region_.node(table).next : listed;
  const bool is_full =
      table != 0 ? 2 * (callees + 1) > region_.node(table).slots : callees >= kMostListed;
  if (is_full) table = make_table(slot, static_cast<std::uint32_t>(callees));
  if (is_full && table == 0) return 0;
  InlineNode* node = make(method, slot, slots);
  if (node == nullptr) return 0;
  const std::uint32_t made = region_.number(*node);
  if (table != 0) {
    put_in_table(region_.node(table), made);
    if (table != first) store_slot(slot, table);
  } else if (first == 0) {
    store_slot(slot, made);
  } else {
    // The first callee stays the one that probes look at: mostly it is the commonest.
    std::uint32_t last = first;
    while (region_.node(last).next != 0) last = region_.node(last).next;
    region_.node(last).next = made;
  }
  if (entry_ != 0 && first_key_ == 0 && slot == slot_address(region_.node(entry_), 0)) {
    first_key_ = context_key(kNoSite, group_ == kNoMethod ? method : group_);
  }
  return made;
}

// With all of the slot's, and room for as many.
std::uint32_t InlineTree::make_table(std::uint64_t slot, std::uint32_t callees) noexcept {
  InlineNode* table = make(kNoMethod, slot, 4 * std::bit_ceil(callees));
  if (table == nullptr) return 0;
  --node_count_;
  const std::uint32_t first = load_slot(slot);
  if (is_table(first)) {
    const InlineNode& before = region_.node(first);
    for (std::uint32_t i = 0; i < before.slots; ++i) {
      const std::uint32_t callee = load_slot(slot_address(before, i));
      if (callee != 0) put_in_table(*table, callee);
    }
  } else {
    for (std::uint32_t callee = first; callee != 0; callee = region_.node(callee).next) {
      put_in_table(*table, callee);
    }
  }
  return region_.number(*table);
}

void InlineTree::put_in_table(InlineNode& table, std::uint32_t callee) noexcept {
  std::uint32_t i = inline_table_hash(MethodId{region_.node(callee).method});
  while (load_slot(slot_address(table, i & (table.slots - 1))) != 0) ++i;
  store_slot(slot_address(table, i & (table.slots - 1)), callee);
  ++table.next;
}

void InlineTree::show_root_in(std::uint64_t slot) noexcept {
  const auto at = std::lower_bound(root_shown_in_.begin(), root_shown_in_.end(), slot);
  if (at == root_shown_in_.end() || *at != slot) {
    try {
      root_shown_in_.insert(at, slot);
    } catch (const std::bad_alloc&) {
      return;  // each call through the slot comes here
    }
  }
  store_slot(slot, load_slot(root_slot()));
}

void InlineTree::hide_root() noexcept {
  for (const std::uint64_t slot : root_shown_in_) store_slot(slot, 0);
  root_shown_in_.clear();
}

void InlineTree::forget_callees() noexcept {
  hide_root();
  for (const Part& part : parts_) {
    for (std::uint64_t at = part.chunk.start; at < part.chunk.start + part.used;) {
      const auto& node = *reinterpret_cast<const InlineNode*>(at);
      if (node.entry == 0) break;
      const bool has_callees = node.entry != kInlineGap && !is_lost(slot_address(node, 0));
      for (std::uint32_t slot = 0; has_callees && slot < node.slots; ++slot) {
        store_slot(slot_address(node, slot), 0);
      }
      at += inline_node_bytes(node.slots);
    }
  }
}

void InlineTree::clear() noexcept {
  for (const Part& part : parts_) region_.give_back(part.chunk, part.used);
  forget();
}

void InlineTree::forget() noexcept {
  hide_root();
  parts_.clear();
  gaps_.clear();
  made_bytes_ = kept_bytes_ = node_count_ = 0;
  next_log_ = InlineRegion::kLeastLog;
  root_ = entry_ = lost_ = slice_ = inside_ = seen_below_ = 0;
  moves_ = 0;
  first_key_ = 0;
  left_out_ = {};
  noted_from_ = noted_to_ = 0;
  forget_aliases();
}

void InlineTree::forget_aliases() noexcept {
  region_.count_beside(-kAliasBytes * static_cast<std::int64_t>(aliases_.size()));
  aliases_ = {};
}

}  // namespace copse::cct
