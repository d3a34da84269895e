#include "cct/packets/uptree.h"

#include <bit>
#include <new>

namespace copse::cct {

Uptree::Uptree(shadowstack::MemorySource& memory, std::uint32_t most_nodes)
    : memory_{{memory, most_nodes}, {memory, most_nodes}} {
  if (!memory_[0].ensure(1)) throw std::bad_alloc();
  nodes_ = memory_[0].data();
  nodes_[0] = {};
}

void Uptree::mark(std::span<std::uint32_t* const> roots) noexcept {
  for (const std::uint32_t* root : roots) {
    if (*root != kNone) forward_[*root] = kMarked;
  }
  for (std::uint32_t node = kept_->totals.size - 1; node > 0; --node) {
    if (forward_[node] != kMarked && calls(node) == 0) continue;
    forward_[node] = kMarked;
    forward_[nodes_[node].parent] = kMarked;
  }
}

// Returns the node in `kept` with the same context; `next` if there is none.
std::uint32_t Uptree::canonical(const Node* kept, std::uint32_t node, std::uint32_t parent,
                                std::uint32_t next) noexcept {
  const std::size_t mask = canonical_.size() - 1;
  const ContextKey wanted = key(node);
  std::uint64_t hash = (wanted ^ (std::uint64_t{parent} << 24)) * 0x9E37'79B9'7F4A'7C15u;
  hash ^= hash >> 32;
  for (std::size_t at = hash & mask;; at = (at + 1) & mask) {
    std::uint32_t& entry = canonical_[at];
    if (entry == 0) return entry = next;
    if (kept[entry].parent == parent && (kept[entry].packed & kKeyMask) == wanted) return entry;
  }
}

bool Uptree::collect(std::span<std::uint32_t* const> roots) noexcept {
  const std::uint32_t size = kept_->totals.size;
  shadowstack::LazyArray<Node>& other = memory_[1 - current_];
  if (!other.ensure(size)) return false;
  try {
    forward_.assign(size, 0);
    canonical_.assign(std::bit_ceil(std::size_t{size} * 2), 0);
  } catch (const std::bad_alloc&) {
    return false;
  }
  mark(roots);
  Node* const kept = other.data();
  kept[0] = {};
  forward_[0] = kRoot;
  std::uint32_t count = 1;
  for (std::uint32_t node = 1; node < size; ++node) {
    if (forward_[node] != kMarked) continue;
    const std::uint32_t parent = forward_[nodes_[node].parent];
    const std::uint32_t same = canonical(kept, node, parent, count);
    if (same == count) {
      kept[count++] = {nodes_[node].packed, parent, nodes_[node].calls_low};
    } else {
      add_calls(kept[same], calls(node));
    }
    forward_[node] = same;
  }
  for (std::uint32_t* root : roots) {
    if (*root != kNone) *root = forward_[*root];
  }
  kept_->replace(reinterpret_cast<std::uint64_t>(kept), count);
  nodes_ = kept;
  current_ = 1 - current_;
  return true;
}

void Uptree::add_to(Cct& tree) noexcept {
  try {
    forward_.assign(kept_->totals.size, raw(kRootNode));
  } catch (const std::bad_alloc&) {
    for (std::uint32_t node = 1; node < kept_->totals.size; ++node) {
      tree.add_calls(Cct::kOverflowNode, calls(node));
    }
    return;
  }
  for (std::uint32_t node = 1; node < kept_->totals.size; ++node) {
    const std::uint32_t above = forward_[nodes_[node].parent];
    const std::uint32_t theirs =
        above == Cct::kOverflowNode ? above : tree.callee(above, key(node));
    tree.add_calls(theirs, calls(node));
    forward_[node] = theirs;
  }
}

void Uptree::keep_in(KeptTree& kept) noexcept {
  kept.layout = KeptTree::Layout::kUptree;
  kept.totals = kept_->totals;
  shadowstack::in_this_order();
  kept.nodes = reinterpret_cast<std::uint64_t>(nodes_);
  kept_ = &kept;
}

}  // namespace copse::cct
