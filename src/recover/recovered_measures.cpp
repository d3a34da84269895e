#include "recover/recovered_measures.h"

#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

#include "recover/kept_nodes.h"

namespace copse::recover {
namespace {

constexpr std::uint64_t kMostScale = 1'000'000;

Status add_measure(const SharedMemoryFile& memory, const cct::KeptMeasure& kept,
                   RecoveredTree& tree, RecoveredMeasure& out) {
  constexpr std::uint32_t kNowhere = cct::Cct::kOverflowNode;
  const Result<KeptNodes> nodes = kept_nodes(memory, kept.tree);
  if (!nodes.ok()) return nodes.status();
  if (kept.scale == 0 || kept.scale > kMostScale) return damaged_run("a measure has no unit");
  std::uint64_t sum = kept.tree.totals.calls_lost;
  std::vector<std::uint32_t> in_tree(nodes->count, raw(kRootNode));
  for (std::uint32_t i = 1; i < nodes->count; ++i) {
    const cct::ContextNode node = (*nodes)[i];
    if (raw(node.parent) >= i) return damaged_run("a context comes before its caller");
    if (node.key == 0) return damaged_run("a context is of no method");
    const std::uint32_t above = in_tree[raw(node.parent)];
    in_tree[i] = above == kNowhere ? above : tree.tree->callee(above, node.key);
    sum += node.calls;
    if (node.calls >= kMostCalls || sum >= kMostCalls) return damaged_run("a measure is too large");
    if (node.calls == 0) continue;
    if (in_tree[i] == kNowhere) {
      out.lost += node.calls * kept.scale;
      continue;
    }
    if (in_tree[i] >= out.values.size()) out.values.resize(in_tree[i] + std::size_t{1});
    out.values[in_tree[i]] += node.calls * kept.scale;
  }
  out.lost += kept.tree.totals.calls_lost * kept.scale;
  return {};
}

}  // namespace

Status add_measures(const SharedMemoryFile& memory, const cct::KeptMeasures& kept,
                    RecoveredTree& out) {
  for (std::uint32_t i = 0; i < std::min(kept.count, cct::KeptMeasures::kMost); ++i) {
    const auto* measure =
        memory.object<cct::KeptMeasure>(kept.address + i * sizeof(cct::KeptMeasure));
    if (measure == nullptr) return damaged_run("a measure is not there");
    const auto text = [](const char* bytes) {
      return std::string(bytes, ::strnlen(bytes, cct::KeptMeasure::kTextBytes));
    };
    if (measure->tree.state == cct::KeptTree::State::kRewritten) {
      out.measures_lost.push_back(text(measure->name));
      continue;
    }
    RecoveredMeasure& added = out.measures.emplace_back();
    added.name = text(measure->name);
    added.unit = text(measure->unit);
    if (Status status = add_measure(memory, *measure, out, added); !status) return status;
  }
  return {};
}

}  // namespace copse::recover
