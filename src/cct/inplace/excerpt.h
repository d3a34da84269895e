// The calls of a piece of the program's code, while it ran: what a unit test asks for
// (InlineTrees::begin_excerpt). They are calls of the run like all others, too.
#pragma once

#include <cstdint>
#include <vector>

#include "cct/context_tree.h"

namespace copse::cct {

// What is beyond so many contexts is not in an excerpt; address space is asked for as many.
inline constexpr std::uint32_t kMostExcerptNodes = 1u << 25;

struct Excerpt {
  // Callers first; the first is where the thread stood when the excerpt began. Contexts of other
  // threads begin at the same node, with those threads' first calls.
  std::vector<ContextNode> nodes;
  std::uint64_t calls_lost = 0;  // at most so many more were made
  bool is_merged = false;        // recursion in it is merged (merged_methods.h)
  bool is_whole = true;          // false: there was no memory for all of it
};

}  // namespace copse::cct
