// Moves counts from trees in place to the master tree, in the order that InlineRun promises, and
// keeps the master within its bound.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "cct/cct.h"
#include "cct/inplace/inline_layout.h"
#include "cct/inplace/inline_run.h"

namespace copse::cct {

class InlineMove {
 public:
  // `row`: the row of the tree's thread.
  InlineMove(Cct& master, std::uint32_t most_nodes, InlineRun& run,
             shadowstack::KeptThreadRow& row) noexcept
      : master_(master), most_nodes_(most_nodes), run_(run), row_(row) {}

  // Appends to `path` the master's node for a callee of its last node. REQUIRES: `path` has
  // capacity for it. Returns true if the master evicted contexts: all its numbers have then changed, and `path` has the
  // new ones.
  bool extend(std::vector<std::uint32_t>& path, ContextKey key) noexcept;

  // Move the node's calls, but for those left out, to a master node or to the lost ones. Return the
  // number of calls moved. `left_out`: nullptr means none.
  std::uint64_t to_node(InlineNode& node, InlineLeftOut* left_out,
                        std::uint32_t master_node) noexcept;
  std::uint64_t to_lost(InlineNode& node, InlineLeftOut* left_out) noexcept;
  // Clears the count of a node all of whose calls are left out.
  static void drop(InlineNode& node, InlineLeftOut& left_out) noexcept;

  // Evicts contexts if the master has grown beyond its bound. Returns true if it did.
  bool evict(std::span<std::uint32_t> live = {}) noexcept;

 private:
  void note(const InlineNode& node, std::uint32_t master_node, std::uint64_t before) noexcept;
  void finish(InlineNode& node, InlineLeftOut* left_out, std::uint64_t calls) noexcept;

  Cct& master_;
  const std::uint32_t most_nodes_;
  InlineRun& run_;
  shadowstack::KeptThreadRow& row_;
};

}  // namespace copse::cct
