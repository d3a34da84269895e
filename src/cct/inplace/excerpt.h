// The calls of a piece of the program's code, while it ran, as a unit test asks for them
// (InlineTrees::begin_excerpt). They also count as calls of the run.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "cct/context_tree.h"

namespace copse::cct {

// Most contexts of an excerpt. Address space is reserved for all of them; further contexts are left
// out.
inline constexpr std::uint32_t kMostExcerptNodes = 1u << 25;

struct Excerpt {
  // Nodes, callers first. Node 0 is the place of the thread when the excerpt began. Contexts of
  // other threads hang below node 0 too, from those threads' first calls on.
  std::vector<ContextNode> nodes;
  std::size_t own_nodes = 0;     // the first so many are the thread's own, with node 0
  std::uint64_t calls_lost = 0;  // upper bound of the calls missing in `nodes`
  bool is_merged = false;        // recursion is merged (merged_methods.h)
  bool is_whole = true;          // false: memory ran out
};

}  // namespace copse::cct
