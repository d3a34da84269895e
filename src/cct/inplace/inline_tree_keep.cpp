// How a tree in place shrinks to what its thread's live frames need, and how recursion is merged in
// what is left.
#include <algorithm>
#include <cstring>
#include <new>
#include <unordered_set>
#include <utility>

#include "cct/inplace/inline_tree.h"

namespace copse::cct {
bool InlineTree::has(std::uint64_t slot) const noexcept {
  return !is_lost(slot) && std::any_of(parts_.begin(), parts_.end(), [slot](const Part& part) {
    return slot >= part.chunk.start && slot < part.chunk.start + part.used;
  });
}

// A tree that is rearranged holds no count: who reads the memory of a killed process skips it.
void InlineTree::show_parts(bool shown) noexcept {
  for (const Part& part : parts_) part.chunk.header().owner = shown ? raw(owner_) + 1 : 0;
  shadowstack::in_this_order();
}

void InlineTree::keep_only(std::uint64_t slot) noexcept {
  made_bytes_ = 0;
  inside_ = 0;
  merge_from_here();
  if (!has(slot)) return;
  std::vector<Kept> kept;
  Numbers numbers;
  std::unordered_map<std::uint32_t, std::uint32_t> aliases;
  try {
    kept = nodes_of_live_frames(slot);
    for (const Kept& each : kept) numbers.push_back(each.number);
    std::sort(numbers.begin(), numbers.end());
    // An entry each, so that nothing is needed any more once the tree is being changed.
    if (merged_.any()) {
      for (const std::uint32_t number : numbers) aliases.emplace(number, number);
    }
    gaps_.clear();
    gaps_.reserve(kept.size() + parts_.size() + 1);
  } catch (const std::bad_alloc&) {
    return;
  }
  show_parts(false);
  hide_root();
  forget_aliases();
  drop_all_but(numbers);
  aliases_ = std::move(aliases);
  hang_again(kept);
  std::erase_if(aliases_, [](const auto& alias) { return alias.first == alias.second; });
  region_.count_beside(kAliasBytes * static_cast<std::int64_t>(aliases_.size()));
  show_parts(true);
}

// Callers first.
std::vector<InlineTree::Kept> InlineTree::nodes_of_live_frames(std::uint64_t slot) const {
  std::unordered_map<std::uint32_t, Numbers> aliases_of;
  for (const auto& [alias, of] : aliases_) aliases_of[of].push_back(alias);
  std::unordered_set<std::uint32_t> live;
  Numbers to_follow;
  const auto add = [&](std::uint32_t number) {
    if (live.insert(number).second) to_follow.push_back(number);
  };
  add(root_);
  for (add(region_.node_with(slot)); !to_follow.empty();) {
    const std::uint32_t number = to_follow.back();
    to_follow.pop_back();
    if (number != root_) add(region_.node_with(region_.node(number).entry));
    add(self_or_aliased(number));
    if (const auto found = aliases_of.find(number); found != aliases_of.end()) {
      for (const std::uint32_t alias : found->second) add(alias);
    }
  }
  std::vector<Kept> ordered = {{root_, root_}};
  live.erase(root_);
  Numbers chain;
  while (!live.empty()) {
    for (std::uint32_t number = *live.begin(); live.erase(number) != 0;) {
      chain.push_back(number);
      number = region_.node_with(region_.node(number).entry);
    }
    for (; !chain.empty(); chain.pop_back()) {
      const std::uint64_t entry = region_.node(chain.back()).entry;
      ordered.push_back({chain.back(), region_.node_with(entry)});
    }
  }
  return ordered;
}

// `kept`: ascending. What is kept loses its callees.
void InlineTree::drop_all_but(std::span<const std::uint32_t> kept) noexcept {
  kept_bytes_ = 0;
  node_count_ = kept.size();
  for (const std::uint32_t number : kept) {
    InlineNode& node = region_.node(number);
    kept_bytes_ += inline_node_bytes(node.slots);
    node.next = 0;
    std::memset(reinterpret_cast<void*>(slot_address(node, 0)), 0,
                node.slots * sizeof(std::uint32_t));
  }
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
    // The unused end of the part becomes a gap too; the whole part must be cleared in the end.
    parts_[kept_parts++] = {part.chunk, is_lost ? part.used : part.chunk.bytes()};
    if (is_lost) continue;
    region_.forget_nodes(part.chunk);
    for (auto number = first; number != last; ++number) region_.note_node(*number);
    add_gaps(part, {first, last});
  }
  parts_.resize(kept_parts);
}

// Each in the slot it was in, or, of what is an alias now, in none when the slot has its method.
void InlineTree::hang_again(std::span<const Kept> kept) noexcept {
  for (const Kept& each : kept.subspan(1)) {
    InlineNode& node = region_.node(each.number);
    const MethodId method{node.method};
    const std::uint32_t caller = self_or_aliased(each.parent);
    const std::uint64_t slot = same_slot(node.entry, each.parent, caller);
    std::size_t listed;
    if (const std::uint32_t other = find(slot, method, listed); other != 0) {
      aliases_.find(each.number)->second = self_or_aliased(other);
      continue;
    }
    if (merges(method)) {
      const std::uint32_t above = on_path(caller, method);
      if (above != 0) aliases_.find(each.number)->second = above;
    }
    node.next = number_in(slot);
    number_in(slot) = each.number;
  }
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
