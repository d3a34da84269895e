// Measures besides calls, by the contexts of threads' trees in place.
#include <new>
#include <utility>

#include "cct/inplace/inline_trees.h"
#include "cct/packets/engine.h"

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
                      MethodId below) noexcept {
  InlineThread* const thread = InlineThread::of(header);
  if (thread == nullptr) return measured_->add_below({}, amounts, below);
  if (&thread->owner != this) return;
  ThreadIndex index = shadowstack::kNoThread;
  try {
    std::vector<ContextKey> path;
    {
      const std::lock_guard lock(thread->mutex);
      if (!thread->is_counting()) return;
      index = thread->index;
      find_path(*thread, place.word, kNoMethod, path);
      if (slices_) slices_->add(*thread, place.word, amounts);
    }
    add_at(index, path, amounts, below);
  } catch (const std::bad_alloc&) {
    measured_->add_lost(amounts);
    add_to_thread(index, amounts);
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
