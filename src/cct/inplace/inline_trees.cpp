#include "cct/inplace/inline_trees.h"

#include <algorithm>
#include <atomic>
#include <new>
#include <utility>

#include "base/make_room.h"
#include "cct/inplace/cycles.h"
#include "cct/inplace/inline_trees_internal.h"
#include "cct/packets/engine.h"

namespace copse::cct {

namespace {

// Less than this of a tree is never worth a walk.
constexpr std::uint64_t kLeastShare = 16 << 10;

// Nodes of a tree between two questions how many contexts there are in all.
constexpr std::uint64_t kLookEvery = 1u << 15;

// The header's word is the slot in which the thread's next callee hangs.
void store_slot_of(shadowstack::ThreadHeader& header, std::uint64_t slot) noexcept {
  std::atomic_ref<std::uint64_t>(header.word).store(slot, std::memory_order_relaxed);
}

}  // namespace

InlineTrees::InlineTrees(std::uint64_t most_bytes, SiteCount site_count,
                         shadowstack::MemorySource& memory, const RecursionOptions& recursion,
                         InlineTrees* before)
    : memory_(memory),
      site_count_(std::move(site_count)),
      region_bytes_(most_bytes / 2),
      most_nodes_(nodes_within(most_bytes / 2)),
      run_memory_(memory, 1),
      recursion_(recursion),
      merged_(merged_methods(recursion, memory)),
      before_(before),
      region_(memory, region_bytes_, before == nullptr ? nullptr : &before->region_),
      headers_(memory),
      // A chain of live frames may be beyond the bound.
      master_(memory, std::min(most_nodes_ + 2 * kMaxDepth, Cct::kMostNodes)),
      kept_rows_(memory),
      next_look_(recursion) {
  if (!headers_.ok() || !run_memory_.ensure(1)) throw std::bad_alloc();
  run_ = run_memory_.data();
  kept_rows_.start(run_->threads);
  auto* header = reinterpret_cast<shadowstack::ThreadHeader*>(headers_.address());
  store_slot_of(*header, region_.nobodys().entry);
  header->nobodys = nobodys();
  run_->region = region_.base();
  run_->chunks = region_.first_chunk();
  master_.keep_in(run_->master);
  master_.merge_recursion_of(merged_);
  merged_->keep_in(run_->merged);
  shadowstack::in_this_order();
  run_->magic = InlineRun::kMagic;
  if (before_ != nullptr) before_->forget_callees();
}

// Threads with frames from then would count here what is to be counted in the next recording.
void InlineTrees::forget_callees() noexcept {
  const std::lock_guard lock(mutex_);
  for (const auto& thread : threads_) {
    const std::lock_guard thread_lock(thread->mutex);
    thread->tree.forget_callees();
  }
}

InlineTrees::~InlineTrees() = default;

InlineTrees::Thread* InlineTrees::new_thread() {
  auto thread = std::make_unique<Thread>(*this, region_, merged_);
  // Room for all, so that detach() never allocates.
  make_room(free_threads_, threads_.size() + 1);
  make_room(threads_, threads_.size() + 1);
  thread->header = headers_.add();
  if (thread->header == nullptr) throw std::bad_alloc();
  threads_.push_back(std::move(thread));
  return threads_.back().get();
}

shadowstack::ThreadHeader* InlineTrees::attach(std::int64_t runtime_thread_id,
                                               std::string_view name) noexcept {
  auto* nobodys_header = reinterpret_cast<shadowstack::ThreadHeader*>(headers_.address());
  const MethodId group = group_of_ ? group_of_(name) : kNoMethod;
  const std::lock_guard lock(mutex_);
  try {
    const ThreadIndex index = rows_.add(runtime_thread_id, name);
    const std::optional<ThreadIndex> row = kept_rows_.begin(runtime_thread_id, name);
    if (!row) return nobodys_header;
    Thread* thread = nullptr;
    if (free_threads_.empty()) {
      thread = new_thread();
    } else {
      thread = free_threads_.back();
      free_threads_.pop_back();
    }
    const std::lock_guard thread_lock(thread->mutex);
    thread->row = *row;
    thread->tree.belong_to(*row, group);
    const std::uint64_t root = thread->tree.root_slot();
    if (root == 0) {
      free_threads_.push_back(thread);
      kept_rows_.end(*row);
      return nobodys_header;
    }
    thread->live = true;
    thread->lost_track = false;
    thread->look_at = next_look_at(*thread);
    live_threads_.fetch_add(1, std::memory_order_relaxed);
    thread->closed = closed_;
    thread->index = index;
    thread->header->state = reinterpret_cast<shadowstack::ThreadState*>(thread);
    thread->header->nobodys = nobodys();
    store_slot_of(*thread->header, root);
    return thread->header;
  } catch (const std::bad_alloc&) {
    return nobodys_header;
  }
}

std::uint64_t InlineTrees::place(shadowstack::ThreadHeader* header, std::uint64_t slot,
                                 MethodId method) noexcept {
  auto* thread = reinterpret_cast<Thread*>(header->state);
  if (thread == nullptr) return nobodys();
  if (keeps_all_.load(std::memory_order_relaxed)) thread = whose(slot, thread);
  const std::uint32_t slots = 1 + site_count_(method);
  std::uint32_t number = 0;
  bool looks = false;
  {
    const std::lock_guard lock(thread->mutex);
    if (thread->closed) return nobodys();
    if (!region_.has(slot) || region_.is_nobodys(slot)) {
      number = place_at_root(*thread, slot, method, slots);
      if (number == 0) return nobodys();
    } else {
      const std::uint32_t wishes = wishes_.load(std::memory_order_relaxed);
      const bool asked = std::exchange(thread->wishes_seen, wishes) != wishes;
      if (!thread->tree.is_behind() && (!asked || !worth_shrinking(*thread))) {
        number = thread->tree.place(slot, method, slots);
      }
    }
    if (number != 0) keep_first_key(*thread);
    looks =
        recursion_.recursion == Recursion::kAuto && thread->tree.node_count() >= thread->look_at;
  }
  if (number == 0) {
    number = place_without_room(*thread, slot, method, slots);
    if (number == 0) return nobodys();
    const std::lock_guard lock(thread->mutex);
    keep_first_key(*thread);
  }
  if (looks) [[unlikely]]
    look_for_cycles(*thread);
  return reinterpret_cast<std::uint64_t>(&region_.node(number));
}

// Under the thread's mutex. A tree that was forgotten knows none.
void InlineTrees::keep_first_key(const Thread& thread) noexcept {
  if (!thread.closed) kept_rows_[thread.row].first_key = thread.tree.first_key();
}

// Returns the thread whose tree has the slot; `running` if there is none.
InlineTrees::Thread* InlineTrees::whose(std::uint64_t slot, Thread* running) noexcept {
  const std::lock_guard lock(mutex_);
  for (const auto& thread : threads_) {
    const std::lock_guard thread_lock(thread->mutex);
    if (thread->tree.has(slot)) return thread.get();
  }
  return running;
}

// Places a call whose slot belongs to the unowned node or to an earlier recording; in the latter
// case the slot then shows the thread's own root callees. Returns 0 without memory.
std::uint32_t InlineTrees::place_at_root(Thread& thread, std::uint64_t slot, MethodId method,
                                         std::uint32_t slots) noexcept {
  const std::uint64_t root = thread.tree.root_slot();
  const std::uint32_t number = root == 0 ? 0 : thread.tree.place_over_bound(root, method, slots);
  if (number == 0) {
    thread.lost_track = true;
  } else if (!region_.has(slot) && !is_nobodys_before(slot)) {
    thread.tree.show_root_in(slot);
  }
  return number;
}

bool InlineTrees::is_nobodys_before(std::uint64_t slot) const noexcept {
  for (const InlineTrees* trees = before_; trees != nullptr; trees = trees->before_) {
    if (trees->region_.is_nobodys(slot)) return true;
  }
  return false;
}

// Also when others wish that this thread's tree were smaller, or there is recursion to merge in it.
std::uint32_t InlineTrees::place_without_room(Thread& thread, std::uint64_t slot, MethodId method,
                                              std::uint32_t slots) noexcept {
  if (before_nodes_go_) before_nodes_go_(*thread.header);
  const std::lock_guard lock(mutex_);
  const std::lock_guard thread_lock(thread.mutex);
  if (thread.closed) return 0;
  if ((thread.tree.is_behind() && may_shrink(thread)) || worth_shrinking(thread)) {
    shrink(thread, slot);
  }
  if (thread.tree.is_behind()) thread.tree.merge_from_here();
  std::uint32_t number = thread.tree.place(slot, method, slots);
  if (number != 0) return number;
  if (keeps_all_.load(std::memory_order_relaxed)) return thread.tree.place_lost();
  // Aliases of all that may be live are kept, and these may be many.
  if (merged_->any() && thread.tree.kept_bytes() > own_share()) return thread.tree.place_lost();
  thread.wishes_seen = wishes_.fetch_add(1, std::memory_order_relaxed) + 1;
  number = thread.tree.place_over_bound(slot, method, slots);
  if (number == 0) thread.lost_track = true;
  return number;
}

// Bytes that one tree may take beyond the bound: an eighth of the region for all threads together.
std::uint64_t InlineTrees::own_share() const noexcept {
  const std::uint64_t threads =
      std::max<std::uint64_t>(1, live_threads_.load(std::memory_order_relaxed));
  return std::max(kLeastShare, region_bytes_ / 8 / threads);
}

std::uint64_t InlineTrees::next_look_at(const Thread& thread) const noexcept {
  return thread.tree.node_count() + std::min(kLookEvery, recursion_.look_at);
}

bool InlineTrees::may_shrink(const Thread& thread) const noexcept {
  return !thread.closed && !thread.lost_track && !keeps_all_.load(std::memory_order_relaxed);
}

bool InlineTrees::worth_shrinking(const Thread& thread) const noexcept {
  const std::uint64_t made = thread.tree.made_bytes();
  return may_shrink(thread) && made >= own_share() && made >= thread.tree.kept_bytes();
}

void InlineTrees::shrink(Thread& thread, std::uint64_t slot) noexcept {
  end_excerpts_but(thread, thread.tree.excerpts_around(slot));
  if (move_to_master(thread)) thread.tree.keep_only(slot);
  thread.look_at = next_look_at(thread);
}

// But for trees that are to be merged. Under mutex_, as below.
std::uint64_t InlineTrees::contexts() noexcept {
  std::uint64_t contexts = master_.node_count();
  for (const auto& thread : threads_) {
    const std::lock_guard lock(thread->mutex);
    if (!thread->tree.is_behind()) contexts += thread->tree.node_count();
  }
  return contexts;
}

void InlineTrees::look_for_cycles(Thread& thread) noexcept {
  const std::lock_guard lock(mutex_);
  thread.look_at = next_look_at(thread);
  const std::uint64_t so_many = contexts();
  if (!next_look_.is_due(so_many) || closed_) return;
  next_look_.found_none(so_many);
  try {
    Cycles cycles;
    master_.add_to(cycles);
    for (const auto& each : threads_) {
      const std::lock_guard thread_lock(each->mutex);
      if (each->live && !each->closed && !each->tree.is_behind()) each->tree.add_to(cycles);
    }
    if (!merged_->add_from(cycles) && !master_.is_left_full()) return;
  } catch (const std::bad_alloc&) {
    return;  // contexts stay as exact as they are
  }
  note_depths();
  run_->master.rewrite([&] { master_.merge_recursion(); });
  // The trees follow, each when its thread meets its next new call.
  next_look_.found_some(contexts());
}

// Notes the recursion depths of the methods to be merged, before they are merged.
void InlineTrees::note_depths() noexcept {
  try {
    RecursionDepths depths(*merged_);
    master_.add_to(depths);
    for (const auto& each : threads_) {
      const std::lock_guard thread_lock(each->mutex);
      if (each->live && !each->closed) each->tree.add_to(depths);
    }
  } catch (const std::bad_alloc&) {
    // The depths of what was reached are lower bounds all the same.
  }
}

std::uint64_t InlineTrees::place_in_own(shadowstack::ThreadHeader* header, std::uint64_t slot,
                                        MethodId method) noexcept {
  auto* thread = reinterpret_cast<Thread*>(header->state);
  // A header without a thread is the unowned one.
  return thread == nullptr ? header->nobodys : thread->owner.place(header, slot, method);
}

void InlineTrees::rename(shadowstack::ThreadHeader* header, std::string_view name) noexcept {
  const std::lock_guard lock(mutex_);
  auto* thread = reinterpret_cast<Thread*>(header->state);
  if (thread == nullptr || &thread->owner != this) return;
  const std::lock_guard thread_lock(thread->mutex);
  if (!thread->live) return;
  rows_.rename(thread->index, name);
  kept_rows_.rename(thread->row, name);
}

// False: without memory to reach all of it; what was not reached is missing from calls_seen_ too.
bool InlineTrees::move_to_master(Thread& thread) noexcept {
  keep_for_watches(thread, Part::kAll);
  return move_with(thread, [&](InlineMove& move, InlineTree::Totals& totals) {
    thread.tree.move_counts(move, totals);
  });
}

// The same by a function that throws std::bad_alloc.
bool InlineTrees::move_with(
    Thread& thread, const std::function<void(InlineMove&, InlineTree::Totals&)>& moves) noexcept {
  InlineTree::Totals totals;
  InlineMove move(master_, most_nodes_, *run_, kept_rows_.to_add_to(thread.row));
  bool all = true;
  try {
    moves(move, totals);
  } catch (const std::bad_alloc&) {
    all = false;
  }
  move.evict();  // what was live while the counts moved
  calls_seen_ += totals.calls;
  calls_lost_ += totals.lost;
  rows_.add_calls(thread.index, thread.tree.first_key(), totals.calls);
  return all;
}

void InlineTrees::detach(shadowstack::ThreadHeader* header) noexcept {
  const std::lock_guard lock(mutex_);
  auto* thread = reinterpret_cast<Thread*>(header->state);
  if (thread == nullptr || &thread->owner != this) return;
  const std::lock_guard thread_lock(thread->mutex);
  if (!thread->live) return;
  if (!thread->closed) move_to_master(*thread);
  std::erase_if(watches_, [&](const auto& watch) { return &watch->by == thread; });
  rows_.end(thread->index);
  kept_rows_.end(thread->row);
  store_slot_of(*header, region_.nobodys().entry);
  thread->tree.clear();
  thread->live = false;
  live_threads_.fetch_sub(1, std::memory_order_relaxed);
  free_threads_.push_back(thread);
}

void InlineTrees::close() noexcept {
  const std::lock_guard lock(mutex_);
  closed_ = true;
  // Calls of threads without memory for a tree, counted together and without a lock. First, because
  // threads whose recording has ended count there too.
  const std::uint64_t nobodys = calls_of(region_.nobodys());
  calls_seen_ += nobodys;
  calls_lost_ += nobodys;
  run_->lost += nobodys;
  bool moved_all = true;
  for (const auto& thread : threads_) {
    const std::lock_guard thread_lock(thread->mutex);
    if (!thread->live || thread->closed) continue;
    thread->closed = true;
    if (move_to_master(*thread)) {
      thread->tree.hide();
    } else {
      moved_all = false;
    }
  }
  shadowstack::in_this_order();
  run_->closed = 1;
  if (moved_all) forget_trees();
}

// The report needs the memory. Threads may still run probes, whose nodes turn into zeros under them:
// into empty slots, and frames without callees.
void InlineTrees::forget_trees() noexcept {
  region_.empty();
  for (const auto& thread : threads_) {
    const std::lock_guard thread_lock(thread->mutex);
    thread->tree.forget();
  }
}

Result<RecordingSnapshot> InlineTrees::snapshot() const {
  try {
    const std::lock_guard lock(mutex_);
    RecordingSnapshot so_far;
    std::unique_ptr<Cct> tree = master_.copy();
    shadowstack::ThreadRows rows = rows_;
    so_far.calls_seen = calls_seen_;
    std::uint64_t lost = calls_lost_;
    for (const auto& thread : threads_) {
      const std::lock_guard thread_lock(thread->mutex);
      if (!thread->live || thread->closed) continue;
      const InlineTree::Totals totals = thread->tree.add_to(*tree, most_nodes_);
      so_far.calls_seen += totals.calls;
      lost += totals.lost;
      rows.add_calls(thread->index, thread->tree.first_key(), totals.calls);
    }
    if (!closed_) {
      const std::uint64_t nobodys = calls_of(region_.nobodys());
      so_far.calls_seen += nobodys;
      lost += nobodys;
    }
    if (measured_ != nullptr) so_far.measured = measured_->lay_on(*tree);
    so_far.calls_lost = so_far.calls_without_room = lost + tree->calls_lost();
    so_far.tree = std::move(tree);
    so_far.threads = rows.list();
    return so_far;
  } catch (const std::bad_alloc&) {
    return Result<RecordingSnapshot>::error(Fault::kLimit,
                                            "memory: no room for a copy of the tree");
  }
}

std::uint64_t InlineTrees::calls_seen() const noexcept {
  const std::lock_guard lock(mutex_);
  return calls_seen_;
}

std::uint64_t InlineTrees::calls_without_room() const noexcept {
  const std::lock_guard lock(mutex_);
  return calls_lost_ + master_.calls_lost();
}

std::vector<shadowstack::ThreadRow> InlineTrees::threads() const {
  const std::lock_guard lock(mutex_);
  return rows_.list();
}

}  // namespace copse::cct
