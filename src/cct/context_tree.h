// Read interface of every context tree: nodes are numbered so that parents come before children.
// Node 0 is ROOT (its own parent, key 0, calls 0).
#pragma once

#include <cstdint>

#include "base/call_record.h"
#include "base/ids.h"
#include "cct/recursion.h"

namespace copse::cct {

struct ContextNode {
  NodeIndex parent;
  ContextKey key;       // call site in the parent's method, and method; or kEvictedKey
  std::uint64_t calls;  // calls of exactly this context
};

// Totals of contexts evicted to stay within a bound. Their calls are in nodes of kEvictedKey. A
// context evicted, called and evicted again counts twice.
struct Evicted {
  std::uint64_t calls = 0;
  std::uint64_t contexts = 0;
};

class ContextTree {
 public:
  virtual ~ContextTree() = default;
  virtual std::uint32_t node_count() const noexcept = 0;  // ROOT included
  virtual ContextNode node(NodeIndex index) const noexcept = 0;
  virtual Evicted evicted() const noexcept { return {}; }
  virtual MergedRecursion merged() const { return {}; }
};

}  // namespace copse::cct
