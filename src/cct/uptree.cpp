#include "cct/uptree.h"

#include <bit>
#include <new>

namespace copse {

Uptree::Uptree(MemorySource& memory, std::uint32_t most_nodes) : memory_(memory, most_nodes) {
  if (!memory_.ensure(1)) throw std::bad_alloc();
  nodes_ = memory_.data();
  nodes_[0] = {};
}

std::uint64_t Uptree::memory_bytes() const noexcept {
  return size_ * sizeof(Node) +
         (forward_.capacity() + canonical_.capacity()) * sizeof(std::uint32_t);
}

void Uptree::mark(std::span<std::uint32_t* const> tokens) noexcept {
  for (const std::uint32_t* token : tokens) {
    if (*token != kNone) forward_[*token] = kMarked;
  }
  for (std::uint32_t node = size_ - 1; node > 0; --node) {
    if (forward_[node] != kMarked && calls(node) == 0) continue;
    forward_[node] = kMarked;
    forward_[nodes_[node].parent] = kMarked;
  }
}

// The node with that context among those already kept; `next` if there is none.
std::uint32_t Uptree::canonical(std::uint32_t node, std::uint32_t parent,
                                std::uint32_t next) noexcept {
  const std::size_t mask = canonical_.size() - 1;
  const ContextKey wanted = key(node);
  std::uint64_t hash = (wanted ^ (std::uint64_t{parent} << 24)) * 0x9E37'79B9'7F4A'7C15u;
  hash ^= hash >> 32;
  for (std::size_t at = hash & mask;; at = (at + 1) & mask) {
    std::uint32_t& entry = canonical_[at];
    if (entry == 0) return entry = next;
    if (nodes_[entry].parent == parent && key(entry) == wanted) return entry;
  }
}

bool Uptree::collect(std::span<std::uint32_t* const> tokens) noexcept {
  try {
    forward_.assign(size_, 0);
    canonical_.assign(std::bit_ceil(std::size_t{size_} * 2), 0);
  } catch (const std::bad_alloc&) {
    return false;
  }
  mark(tokens);
  forward_[0] = kRoot;
  std::uint32_t kept = 1;
  for (std::uint32_t node = 1; node < size_; ++node) {
    if (forward_[node] != kMarked) continue;
    const std::uint32_t parent = forward_[nodes_[node].parent];
    const std::uint32_t same = canonical(node, parent, kept);
    if (same == kept) {
      nodes_[kept] = {nodes_[node].packed, parent, nodes_[node].calls_low};  // kept <= node
      ++kept;
    } else {
      add_calls(same, calls(node));
    }
    forward_[node] = same;
  }
  for (std::uint32_t* token : tokens) {
    if (*token != kNone) *token = forward_[*token];
  }
  size_ = kept;
  return true;
}

void Uptree::move_into(Cct& tree) noexcept {
  // A node's parent field, once it was reached, holds the tree's number for its children to find.
  nodes_[0].parent = raw(kRootNode);
  for (std::uint32_t node = 1; node < size_; ++node) {
    const std::uint32_t above = nodes_[nodes_[node].parent].parent;
    const std::uint32_t theirs = above == Cct::kOverflowNode ? above : tree.child(above, key(node));
    tree.add_calls(theirs, calls(node));
    nodes_[node].parent = theirs;
  }
  size_ = 1;
}

}  // namespace copse
