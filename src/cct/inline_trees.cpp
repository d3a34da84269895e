#include "cct/inline_trees.h"

#include <algorithm>
#include <atomic>
#include <new>

#include "cct/engine.h"
#include "cct/inline_tree.h"

namespace copse {

// Owned by the header's thread but for the tree, which is under `mutex`.
struct InlineTrees::Thread {
  explicit Thread(InlineRegion& region) : tree(region) {}

  ThreadHeader* header = nullptr;  // constant
  std::mutex mutex;                // of all below
  bool live = false;
  bool closed = false;  // recording has ended for this thread
  ThreadIndex index{};
  InlineTree tree;
};

namespace {

// The header's word is the slot in which the thread's next callee hangs.
void store_slot_of(ThreadHeader& header, std::uint64_t slot) noexcept {
  std::atomic_ref<std::uint64_t>(header.word).store(slot, std::memory_order_relaxed);
}

}  // namespace

InlineTrees::InlineTrees(std::uint64_t most_bytes, SiteCount site_count)
    : site_count_(std::move(site_count)),
      region_(anonymous_memory(), most_bytes / 2),
      headers_(anonymous_memory()),
      master_(anonymous_memory(), nodes_within(most_bytes / 2)) {
  if (!headers_.ok()) throw std::bad_alloc();
  auto* nobodys = reinterpret_cast<ThreadHeader*>(headers_.address());
  store_slot_of(*nobodys, region_.node(0).entry);
  nobodys->nodes = region_.start();
}

InlineTrees::~InlineTrees() = default;

InlineTrees::Thread* InlineTrees::new_thread() {
  auto thread = std::make_unique<Thread>(region_);
  // Room for all, so that detach() never allocates.
  free_threads_.reserve(threads_.size() + 1);
  threads_.reserve(threads_.size() + 1);
  thread->header = headers_.add();
  if (thread->header == nullptr) throw std::bad_alloc();
  threads_.push_back(std::move(thread));
  return threads_.back().get();
}

ThreadHeader* InlineTrees::attach(std::int64_t runtime_thread_id, std::string_view name) noexcept {
  auto* nobodys = reinterpret_cast<ThreadHeader*>(headers_.address());
  const std::lock_guard lock(mutex_);
  try {
    const ThreadIndex index{static_cast<std::uint32_t>(rows_.size())};
    rows_.push_back({index, runtime_thread_id, std::string(name), 0, 0});
    Thread* thread = nullptr;
    if (free_threads_.empty()) {
      thread = new_thread();
    } else {
      thread = free_threads_.back();
      free_threads_.pop_back();
    }
    const std::lock_guard thread_lock(thread->mutex);
    const std::uint64_t root = thread->tree.root_slot();
    if (root == 0) {
      free_threads_.push_back(thread);
      return nobodys;
    }
    if (closed_) thread->tree.freeze();
    thread->live = true;
    thread->closed = closed_;
    thread->index = index;
    thread->header->state = reinterpret_cast<ThreadState*>(thread);
    thread->header->nodes = region_.start();
    store_slot_of(*thread->header, root);
    return thread->header;
  } catch (const std::bad_alloc&) {
    return nobodys;
  }
}

std::uint64_t InlineTrees::place(ThreadHeader* header, std::uint64_t slot,
                                 MethodId method) noexcept {
  auto* thread = reinterpret_cast<Thread*>(header->state);
  if (thread == nullptr) return region_.start();
  const std::uint32_t slots = 1 + site_count_(method);
  const std::lock_guard lock(thread->mutex);
  if (region_.is_nobodys(slot)) slot = thread->tree.root_slot();
  return reinterpret_cast<std::uint64_t>(&region_.node(thread->tree.place(slot, method, slots)));
}

void InlineTrees::rename(ThreadHeader* header, std::string_view name) noexcept {
  const std::lock_guard lock(mutex_);
  auto* thread = reinterpret_cast<Thread*>(header->state);
  if (thread == nullptr) return;
  const std::lock_guard thread_lock(thread->mutex);
  if (!thread->live) return;
  try {
    rows_[raw(thread->index)].name = name;
  } catch (const std::bad_alloc&) {
    // The old name stays.
  }
}

void InlineTrees::add_to_master(Thread& thread) noexcept {
  try {
    const InlineTree::Totals totals = thread.tree.add_to(master_);
    calls_seen_ += totals.calls;
    calls_lost_ += totals.lost;
    rows_[raw(thread.index)].first_key = totals.first_key;
    rows_[raw(thread.index)].calls = totals.calls;
  } catch (const std::bad_alloc&) {
    // What was not reached is missing from calls_seen_ too; there is no memory to walk it.
  }
}

void InlineTrees::detach(ThreadHeader* header) noexcept {
  const std::lock_guard lock(mutex_);
  auto* thread = reinterpret_cast<Thread*>(header->state);
  if (thread == nullptr) return;
  const std::lock_guard thread_lock(thread->mutex);
  if (!thread->live) return;
  if (!thread->closed) add_to_master(*thread);
  store_slot_of(*header, region_.node(0).entry);
  thread->tree.clear();
  thread->live = false;
  free_threads_.push_back(thread);
}

void InlineTrees::close() noexcept {
  const std::lock_guard lock(mutex_);
  closed_ = true;
  for (const auto& thread : threads_) {
    const std::lock_guard thread_lock(thread->mutex);
    if (!thread->live || thread->closed) continue;
    thread->closed = true;
    thread->tree.freeze();
    add_to_master(*thread);
  }
  // What threads without memory for a tree counted, together and without a lock.
  calls_seen_ += region_.node(0).calls;
  calls_lost_ += region_.node(0).calls;
}

std::uint64_t InlineTrees::calls_seen() const noexcept {
  const std::lock_guard lock(mutex_);
  return calls_seen_;
}

std::uint64_t InlineTrees::calls_without_room() const noexcept {
  const std::lock_guard lock(mutex_);
  return calls_lost_ + master_.calls_lost();
}

std::vector<ThreadRecorder::ThreadRow> InlineTrees::threads() const {
  const std::lock_guard lock(mutex_);
  std::vector<ThreadRow> rows = rows_;
  std::erase_if(rows, [](const ThreadRow& row) { return row.calls == 0; });
  return rows;
}

}  // namespace copse
