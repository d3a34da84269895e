#include "cct/measured_contexts.h"

#include <array>
#include <new>

#include "shadowstack/in_this_order.h"

namespace copse::cct {

MeasuredContexts::MeasuredContexts(std::span<const MeasureName> columns, ContextKey outside,
                                   std::uint32_t most_nodes,
                                   std::shared_ptr<const MergedMethods> merged,
                                   shadowstack::MemorySource& memory)
    : outside_(outside), most_nodes_(most_nodes), kept_(memory, KeptMeasures::kMost) {
  if (!kept_.ensure(columns.size())) throw std::bad_alloc();
  for (const MeasureName& column : columns) {
    KeptMeasure& kept = kept_.data()[columns_.size()];
    column.name.copy(kept.name, KeptMeasure::kTextBytes - 1);
    column.unit.copy(kept.unit, KeptMeasure::kTextBytes - 1);
    kept.scale = column.scale;
    // A path may be beyond the bound until the coldest are evicted.
    columns_.push_back(std::make_unique<Cct>(memory, most_nodes + kMaxDepth));
    columns_.back()->merge_recursion_of(merged);
    columns_.back()->keep_in(kept.tree);
  }
}

void MeasuredContexts::keep_in(KeptMeasures& kept) noexcept {
  kept.address = reinterpret_cast<std::uint64_t>(kept_.data());
  shadowstack::in_this_order();
  kept.count = static_cast<std::uint32_t>(columns_.size());
}

void MeasuredContexts::add(std::size_t column, std::span<const ContextKey> path,
                           std::uint64_t amount) noexcept {
  const std::lock_guard lock(mutex_);
  if (columns_.empty()) return;
  Cct& tree = *columns_[column];
  std::array<std::uint32_t, 1> node = {raw(kRootNode)};
  for (const ContextKey key : path) {
    if (node[0] == Cct::kOverflowNode) break;
    node[0] = tree.callee(node[0], key);
  }
  tree.add_calls(node[0], amount);
  keep_within_bound(column);
}

bool MeasuredContexts::add_from(std::uint64_t version, std::size_t column, std::uint32_t from,
                                std::span<const ContextKey> path, std::uint64_t amount,
                                std::vector<std::uint32_t>& nodes) {
  nodes.clear();
  nodes.reserve(path.size());
  const std::lock_guard lock(mutex_);
  if (version_ != version) return false;
  if (columns_.empty()) return true;
  Cct& tree = *columns_[column];
  for (const ContextKey key : path) {
    from = tree.callee(from, key);
    if (from == Cct::kOverflowNode) break;
    nodes.push_back(from);
  }
  tree.add_calls(from, amount);
  keep_within_bound(column);
  return true;
}

void MeasuredContexts::keep_within_bound(std::size_t column) noexcept {
  Cct& tree = *columns_[column];
  if (!tree.is_above(most_nodes_, false)) return;
  ++version_;
  kept_.data()[column].tree.rewrite([&] { return tree.evict_above(most_nodes_); });
}

void MeasuredContexts::add_below(std::span<const ContextKey> path,
                                 std::span<const ColumnAmount> amounts, MethodId below) noexcept {
  if (path.empty()) path = {&outside_, 1};
  std::vector<ContextKey> whole;
  if (below != kNoMethod) {
    try {
      whole.assign(path.begin(), path.end());
      whole.push_back(context_key(kNoSite, below));
    } catch (const std::bad_alloc&) {
      return add_lost(amounts);
    }
    path = whole;
  }
  for (const auto& [column, amount] : amounts) add(column, path, amount);
}

void MeasuredContexts::clear() noexcept {
  const std::lock_guard lock(mutex_);
  ++version_;
  for (const std::unique_ptr<Cct>& column : columns_) column->clear();
}

void MeasuredContexts::release() noexcept {
  const std::lock_guard lock(mutex_);
  columns_.clear();
  kept_.release();
}

void MeasuredContexts::add_lost(std::span<const ColumnAmount> amounts) noexcept {
  const std::lock_guard lock(mutex_);
  if (columns_.empty()) return;
  for (const auto& [column, amount] : amounts) {
    columns_[column]->add_calls(Cct::kOverflowNode, amount);
  }
}

std::vector<MeasuredColumn> MeasuredContexts::lay_on(Cct& tree) const {
  const std::lock_guard lock(mutex_);
  std::vector<MeasuredColumn> laid;
  std::vector<std::uint32_t> theirs;
  for (const std::unique_ptr<Cct>& column : columns_) {
    MeasuredColumn& out = laid.emplace_back();
    out.lost = column->calls_lost();
    theirs.assign(column->node_count(), raw(kRootNode));
    for (std::uint32_t i = 0; i < column->node_count(); ++i) {
      if (i != 0) {
        const std::uint32_t above = theirs[column->parent(i)];
        theirs[i] = above == Cct::kOverflowNode ? above : tree.callee(above, column->key(i));
      }
      const std::uint64_t amount = column->calls(i);
      if (amount == 0) continue;
      if (theirs[i] == Cct::kOverflowNode) {
        out.lost += amount;
        continue;
      }
      if (theirs[i] >= out.amounts.size()) out.amounts.resize(theirs[i] + std::size_t{1});
      out.amounts[theirs[i]] += amount;
    }
  }
  for (MeasuredColumn& column : laid) column.amounts.resize(tree.node_count());
  return laid;
}

}  // namespace copse::cct
