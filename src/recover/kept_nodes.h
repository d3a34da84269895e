// Nodes of a tree whose process was killed, at the address in KeptTree.
#pragma once

#include <algorithm>
#include <cstdint>

#include "cct/cct.h"
#include "cct/kept_tree.h"
#include "cct/packets/uptree.h"
#include "recover/recovered_tree.h"
#include "recover/shared_memory.h"

namespace copse::recover {

struct KeptNodes {
  const cct::KeptTree* tree = nullptr;
  const char* bytes = nullptr;
  std::uint32_t count = 0;
  bool all = true;  // false: the rest had no room in shared memory

  cct::ContextNode operator[](std::uint32_t index) const noexcept {
    return tree->layout == cct::KeptTree::Layout::kUptree ? cct::Uptree::node_in(bytes, index)
                                                          : cct::Cct::node_in(bytes, index);
  }
  // Returns the sum of the tree's counts, lost ones included.
  std::uint64_t sum() const noexcept {
    std::uint64_t sum = tree->totals.calls_lost;
    for (std::uint32_t i = 1; i < count; ++i) sum += (*this)[i].calls;
    return sum;
  }
};

// Returns the nodes of a tree, or an error if they are missing though there was room. REQUIRES: the
// tree is not being rewritten.
inline Result<KeptNodes> kept_nodes(const SharedMemoryFile& memory, const cct::KeptTree& tree) {
  const bool is_uptree = tree.layout == cct::KeptTree::Layout::kUptree;
  const bool is_replaced = tree.state == cct::KeptTree::State::kReplaced;
  const std::uint64_t nodes = is_replaced ? tree.new_nodes : tree.nodes;
  const std::uint32_t size = is_replaced ? tree.new_size : tree.totals.size;
  const std::uint64_t node_bytes = is_uptree ? cct::Uptree::kNodeBytes : cct::Cct::kNodeBytes;
  const auto bytes = memory.from(nodes);
  const std::uint64_t there = std::min<std::uint64_t>(size, bytes.size / node_bytes);
  const bool all = there == size;
  if (size == 0 || nodes % alignof(std::uint64_t) != 0 || (!all && memory.is_whole())) {
    return damaged_run("a tree is not all there");
  }
  return KeptNodes{&tree, bytes.data, static_cast<std::uint32_t>(there), all};
}

}  // namespace copse::recover
