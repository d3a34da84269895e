// What is measured besides calls, by the contexts of threads' trees in place.
#include <array>
#include <new>
#include <span>
#include <utility>

#include "cct/engine.h"
#include "cct/inline_trees.h"
#include "cct/inline_trees_internal.h"

namespace copse::cct {
namespace {

// Of what the trees may take, to each column.
constexpr std::uint64_t kMeasuredPart = 64;

}  // namespace

void InlineTrees::measure(Measuring how) {
  measuring_ = std::move(how);
  measured_ = std::make_unique<MeasuredContexts>(std::exchange(measuring_.columns, {}),
                                                 nodes_within(region_bytes_ / kMeasuredPart),
                                                 merged_, memory_);
  measured_->keep_in(run_->measures);
}

void InlineTrees::add(const shadowstack::ThreadHeader& header, std::uint64_t slot,
                      std::size_t column, std::uint64_t amount, MethodId below) noexcept {
  auto* thread = reinterpret_cast<Thread*>(header.state);
  if (thread == nullptr) return add_outside(column, amount, below);
  if (&thread->owner != this) return;
  try {
    std::vector<ContextKey> path;
    {
      const std::lock_guard lock(thread->mutex);
      if (!thread->live || thread->closed) return;
      find_path(*thread, slot, path);
    }
    add(path, column, amount, below);
  } catch (const std::bad_alloc&) {
    measured_->add_lost(column, amount);
  }
}

// Under the thread's mutex. Empty where there is none.
void InlineTrees::find_path(const Thread& thread, std::uint64_t slot,
                            std::vector<ContextKey>& path) const {
  const bool known = region_.has(slot) && thread.tree.path_to(slot, measuring_.is_leaf_of, path);
  if (!known) path.clear();
}

bool InlineTrees::path_of(const shadowstack::ThreadHeader& header, std::uint64_t slot,
                          std::vector<ContextKey>& path) const {
  auto* thread = reinterpret_cast<Thread*>(header.state);
  if (thread == nullptr || &thread->owner != this) return false;
  const std::lock_guard lock(thread->mutex);
  if (!thread->live || thread->closed || thread->tree.first_key() == 0) return false;
  find_path(*thread, slot, path);
  return true;
}

void InlineTrees::add(std::span<const ContextKey> path, std::size_t column, std::uint64_t amount,
                      MethodId below) noexcept {
  if (path.empty()) return add_outside(column, amount, below);
  if (below == kNoMethod) return measured_->add(column, path, amount);
  try {
    std::vector<ContextKey> whole(path.begin(), path.end());
    whole.push_back(context_key(kNoSite, below));
    measured_->add(column, whole, amount);
  } catch (const std::bad_alloc&) {
    measured_->add_lost(column, amount);
  }
}

void InlineTrees::add_outside(std::size_t column, std::uint64_t amount, MethodId below) noexcept {
  const std::array path = {measuring_.outside, context_key(kNoSite, below)};
  measured_->add(column, std::span(path).first(below == kNoMethod ? 1 : 2), amount);
}

void InlineTrees::add_below_root(ContextKey key, std::size_t column,
                                 std::uint64_t amount) noexcept {
  measured_->add(column, {&key, 1}, amount);
}

std::vector<MeasuredColumn> InlineTrees::lay_measured() {
  if (measured_ == nullptr) return {};
  const std::lock_guard lock(mutex_);
  return measured_->lay_on(master_);
}

}  // namespace copse::cct
