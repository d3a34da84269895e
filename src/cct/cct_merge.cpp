// Recursion merged in a tree (merged_methods.h).
#include <cstring>
#include <new>
#include <vector>

#include "cct/cct.h"

namespace copse::cct {

// Returns the node of the method from `node` up if its recursion is merged; ROOT if there is none.
std::uint32_t Cct::merged_into(std::uint32_t node, MethodId method) const noexcept {
  if (merged_ == nullptr || !merged_->has(method)) return raw(kRootNode);
  while (node != raw(kRootNode) && method_of(key(node)) != method) node = parent(node);
  return node;
}

std::uint32_t Cct::callee(std::uint32_t parent, ContextKey key) noexcept {
  const std::uint32_t above = merged_into(parent, method_of(key));
  return above != raw(kRootNode) ? above : child(parent, key);
}

std::uint32_t Cct::find_callee(std::uint32_t parent, ContextKey key) const noexcept {
  if (parent == kOverflowNode || this->key(parent) == kEvictedKey) return parent;
  for (const std::uint32_t found : {merged_into(parent, method_of(key)), find(parent, key)}) {
    if (found != raw(kRootNode)) return found;
  }
  // A caller may have been evicted, too, and have come again.
  for (std::uint32_t above = parent;; above = this->parent(above)) {
    const std::uint32_t found = find(above, kEvictedKey);
    if (found != raw(kRootNode)) return found;
    if (above == raw(kRootNode)) return kOverflowNode;
  }
}

// In a tree beside it, which is the smaller the more there is to merge.
void Cct::merge_recursion(shadowstack::MemorySource& beside) noexcept {
  const std::uint64_t used_entries = table_entries_;
  is_left_full_ = true;
  try {
    Cct merged(beside, most_nodes_);
    merged.merge_recursion_of(merged_);
    const std::uint64_t lost = totals().calls_lost;
    merged.merge(*this);
    if (merged.totals().calls_lost == lost) {
      is_left_full_ = false;
      std::memcpy(nodes_, merged.nodes_, merged.totals().size * sizeof *nodes_);
      totals().size = merged.totals().size;
    }
  } catch (const std::bad_alloc&) {
  }
  list_children_again(used_entries);
}

MergedRecursion Cct::merged() const {
  if (merged_ == nullptr) return {};
  MergedRecursion told = merged_->told();
  told.is_left_full = is_left_full_;
  return told;
}

void Cct::add_to(Cycles& cycles) const {
  std::vector<MethodId> above(totals().size);
  for (std::uint32_t i = 1; i < totals().size; ++i) {
    if (key(i) == kEvictedKey) continue;
    above[i] = cycles.add(method_of(key(i)), above[parent(i)], [&](auto visit) {
      for (std::uint32_t up = parent(i); up != raw(kRootNode); up = parent(up)) {
        if (!visit(method_of(key(up)))) return;
      }
    });
  }
}

void Cct::add_to(RecursionDepths& depths) const {
  struct Step {
    std::uint32_t node;
    std::uint32_t entry = 0;  // of its child table, behind the one at hand
  };
  const auto next_child = [this](Step& step) -> std::uint32_t {
    const Node& node = nodes_[step.node];
    const std::uint32_t shift = shift_of(node.packed());
    if (shift == kNoTable) return step.entry++ == 0 ? node.children : 0;
    const std::uint32_t entries = 1u << (32 - shift);
    while (step.entry < entries) {
      if (const std::uint32_t child = tables_[node.children + step.entry++]; child != 0)
        return child;
    }
    return 0;
  };
  std::vector<Step> path = {{raw(kRootNode)}};
  depths.add(0, kNoMethod);
  while (!path.empty()) {
    const std::uint32_t child = next_child(path.back());
    if (child == 0) {
      path.pop_back();
    } else {
      depths.add(path.size(), method_of(key(child)));
      path.push_back({child});
    }
  }
}

}  // namespace copse::cct
