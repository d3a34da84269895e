// Measures besides calls, by the contexts of threads' trees in place.
#include <algorithm>
#include <new>
#include <utility>

#include "cct/inplace/inline_trees.h"

namespace copse::cct {
namespace {

// Share of a column in the memory of the trees: 1 / kMeasuredPart.
constexpr std::uint64_t kMeasuredPart = 64;

}  // namespace

void InlineTrees::measure(Measuring how) {
  measuring_ = std::move(how);
  if (slices_) slices_->measure(measuring_.columns);
  measured_ = std::make_unique<MeasuredContexts>(
      std::exchange(measuring_.columns, {}), measuring_.outside,
      nodes_within(region_bytes_ / kMeasuredPart), merged_, memory_);
  measured_->keep_in(run_.measures);
}

void InlineTrees::add(const shadowstack::ThreadHeader& header,
                      const shadowstack::ThreadPlace& place, std::span<const ColumnAmount> amounts,
                      MethodId below, const shadowstack::CodePlace* code) noexcept {
  InlineThread* const thread = InlineThread::of(header);
  if (thread == nullptr) return measured_->add_below({}, amounts, below);  // also once it is left
  if (&thread->owner != this) return;
  ThreadIndex index = shadowstack::kNoThread;
  {
    const std::lock_guard lock(thread->mutex);
    if (!thread->is_counting()) return;
    index = thread->index;
    const std::uint64_t slot = corrected(*thread, place.word, code);
    for (const ColumnAmount& amount : amounts) {
      try {
        add_in_tree(*thread, slot, amount, below);
      } catch (const std::bad_alloc&) {
        measured_->add_lost({&amount, 1});
      }
    }
    if (slices_) slices_->add(*thread, slot, amounts);
  }
  add_to_thread(index, amounts);
}

// Under the thread's mutex.
std::uint64_t InlineTrees::corrected(const InlineThread& thread, std::uint64_t slot,
                                     const shadowstack::CodePlace* code) const noexcept {
  if (code == nullptr || !region_.has(slot)) return slot;
  try {
    return thread.tree.corrected(slot, *code);
  } catch (const std::bad_alloc&) {
    return slot;
  }
}

// Under the thread's mutex. Throws std::bad_alloc: nothing was added.
void InlineTrees::add_in_tree(InlineThread& thread, std::uint64_t slot, const ColumnAmount& amount,
                              MethodId below) {
  const std::size_t column = amount.column;
  std::vector<InlineTree::Above> above;
  std::vector<ContextKey> path;
  std::vector<std::uint32_t> nodes;
  std::uint64_t version;
  std::uint32_t from;
  do {
    version = measured_->version();
    thread.known.keep_for(thread.tree.version(), version);
    above.clear();
    std::optional<std::uint32_t> top;
    if (region_.has(slot)) {
      const auto known = [&](std::uint32_t number) { return thread.known.find(column, number); };
      top = thread.tree.climb(slot, measuring_.is_leaf_of, known, above);
    }
    if (!top) above.clear();
    from = top.value_or(raw(kRootNode));
    path.clear();
    InlineTree::append_path(above, path);
    if (from == raw(kRootNode) && path.empty()) path.push_back(measured_->outside());
    if (below != kNoMethod) path.push_back(context_key(kNoSite, below));
  } while (!measured_->add_from(version, column, from, path, amount.amount, nodes));
  if (above.size() <= KnownNodes::kShort || measured_->version() != version) return;
  for (std::size_t i = 0; i < std::min(above.size(), nodes.size()); i += KnownNodes::kEvery) {
    const std::uint32_t number = above[above.size() - 1 - i].number;
    if (number == 0) continue;
    try {
      thread.known.add(column, number, nodes[i]);
    } catch (const std::bad_alloc&) {
      return;  // the next amount goes the same way
    }
  }
}

void InlineTrees::add_to_slice(const shadowstack::ThreadHeader& header,
                               const shadowstack::ThreadPlace& place, std::size_t column,
                               std::uint64_t ns) noexcept {
  InlineThread* const thread = InlineThread::of(header);
  if (slices_ == nullptr || thread == nullptr || &thread->owner != this) return;
  const std::lock_guard lock(thread->mutex);
  if (thread->is_counting()) slices_->add_time(*thread, place.word, column, ns);
}

// Under the thread's mutex. Empty where there is none.
void InlineTrees::find_path(const InlineThread& thread, std::uint64_t slot, MethodId entered,
                            std::vector<ContextKey>& path) const {
  path.clear();
  if (!region_.has(slot)) return;
  if (entered == kNoMethod) {
    if (!thread.tree.path_to(slot, measuring_.is_leaf_of, path)) path.clear();
    return;
  }
  std::optional<InlineTree::Base> base = thread.tree.base_of(slot);
  if (!base || base->is_lost) return;
  path = std::move(base->path);
  path.push_back(context_key(base->site, entered));
}

std::optional<ThreadIndex> InlineTrees::path_of(const shadowstack::ThreadHeader& header,
                                                const shadowstack::ThreadPlace& place,
                                                MethodId entered,
                                                std::vector<ContextKey>& path) const {
  InlineThread* const thread = InlineThread::of(header);
  if (thread == nullptr || &thread->owner != this) return std::nullopt;
  const std::lock_guard lock(thread->mutex);
  if (!thread->is_counting() || thread->tree.first_key() == 0) return std::nullopt;
  find_path(*thread, place.word, entered, path);
  return thread->index;
}

std::vector<MeasuredColumn> InlineTrees::lay_measured() {
  if (measured_ == nullptr) return {};
  const std::lock_guard lock(threads_.mutex);
  return measured_->lay_on(master_.tree());
}

}  // namespace copse::cct
