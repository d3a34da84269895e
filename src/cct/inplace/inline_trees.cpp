#include "cct/inplace/inline_trees.h"

#include <algorithm>
#include <atomic>
#include <new>
#include <utility>

namespace copse::cct {

namespace {

// Less than this of a tree is never worth a walk.
constexpr std::uint64_t kLeastShare = 16 << 10;

InlineRun& first_of(shadowstack::LazyArray<InlineRun>& memory) {
  if (!memory.ensure(1)) throw std::bad_alloc();
  return *memory.data();
}

}  // namespace

InlineTrees::InlineTrees(std::uint64_t most_bytes, SiteCount site_count,
                         shadowstack::MemorySource& memory, const RecursionOptions& recursion,
                         InlineTrees* before)
    : memory_(memory),
      site_count_(std::move(site_count)),
      region_bytes_(most_bytes / 2),
      run_memory_(memory, 1),
      run_(first_of(run_memory_)),
      merged_(merged_methods(recursion, memory)),
      before_(before),
      region_(memory, region_bytes_, before == nullptr ? nullptr : &before->region_),
      threads_(memory, *this, region_, merged_, before == nullptr ? nullptr : &before->threads_),
      master_(memory, nodes_within(most_bytes / 2), run_, merged_, threads_),
      recursion_(recursion, *merged_, threads_, master_),
      excerpts_(region_, merged_, threads_, master_) {
  threads_.keep_in(run_.threads);
  run_.region = region_.base();
  run_.chunks = region_.first_chunk();
  run_.unowned = region_.unowned_address();
  merged_->keep_in(run_.merged);
  shadowstack::in_this_order();
  run_.magic = InlineRun::kMagic;
  if (before_ != nullptr) before_->forget_callees();
}

// Threads with frames from then would count here what is to be counted in the next recording.
void InlineTrees::forget_callees() noexcept {
  const std::lock_guard lock(threads_.mutex);
  threads_.each([](InlineThread& thread) { thread.tree.forget_callees(); });
}

InlineTrees::~InlineTrees() = default;

shadowstack::ThreadHeader* InlineTrees::attach(std::int64_t runtime_thread_id,
                                               std::string_view name) noexcept {
  const MethodId group = group_of_ ? group_of_(name) : kNoMethod;
  const std::lock_guard lock(threads_.mutex);
  if (is_left_) return &threads_.unowned_header();
  try {
    InlineThread* const thread = threads_.begin(runtime_thread_id, name, group);
    if (thread == nullptr) return &threads_.unowned_header();
    recursion_.put_off(*thread);
    return thread->header;
  } catch (const std::bad_alloc&) {
    return &threads_.unowned_header();
  }
}

std::uint64_t InlineTrees::place(shadowstack::ThreadHeader* header, std::uint64_t slot,
                                 MethodId method) noexcept {
  InlineThread* thread = InlineThread::of(*header);
  if (thread == nullptr) return region_.unowned_address();
  if (keeps_all_.load(std::memory_order_relaxed)) thread = whose(slot, thread);
  const std::uint32_t slots = 1 + site_count_(method);
  std::uint32_t number = 0;
  bool looks = false;
  bool is_second_large = false;
  {
    const std::lock_guard lock(thread->mutex);
    if (thread->closed) return region_.unowned_address();
    if (!region_.has(slot) || region_.is_unowned(slot)) {
      number = place_at_root(*thread, slot, method, slots);
      if (number == 0) return region_.unowned_address();
    } else {
      const std::uint32_t wishes = wishes_.load(std::memory_order_relaxed);
      const bool asked = std::exchange(thread->wishes_seen, wishes) != wishes;
      if (!thread->tree.is_behind() && (!asked || !worth_shrinking(*thread))) {
        number = thread->tree.place(slot, method, slots);
      }
    }
    if (number != 0) threads_.keep_first_key(*thread);
    looks = recursion_.is_due(*thread);
    const InlineThread* const large = last_large_.load(std::memory_order_relaxed);
    is_second_large = large != nullptr && large != thread && thread->tree.is_large();
  }
  if (is_second_large) [[unlikely]] {
    const std::lock_guard lock(threads_.mutex);
    end_last_large();
  }
  if (number == 0) {
    number = place_without_room(*thread, slot, method, slots);
    if (number == 0) return region_.unowned_address();
    const std::lock_guard lock(thread->mutex);
    threads_.keep_first_key(*thread);
  }
  if (looks) [[unlikely]]
    recursion_.look(*thread);
  return reinterpret_cast<std::uint64_t>(&region_.node(number));
}

// Returns the thread whose tree has the slot; `running` if there is none.
InlineThread* InlineTrees::whose(std::uint64_t slot, InlineThread* running) noexcept {
  const std::lock_guard lock(threads_.mutex);
  InlineThread* const found =
      threads_.find([slot](const InlineThread& thread) { return thread.tree.has(slot); });
  return found == nullptr ? running : found;
}

// Places a call whose slot is none of this recording's. A slot of an earlier recording then shows the thread's own
// root callees. Returns 0 without memory.
std::uint32_t InlineTrees::place_at_root(InlineThread& thread, std::uint64_t slot, MethodId method,
                                         std::uint32_t slots) noexcept {
  const std::uint64_t root = thread.tree.root_slot();
  const std::uint32_t number = root == 0 ? 0 : thread.tree.place_over_bound(root, method, slots);
  if (number == 0) {
    thread.lost_track = true;
  } else if (is_of_earlier(slot)) {
    thread.tree.show_root_in(slot);
  }
  return number;
}

// Returns whether a node of an earlier recording has the slot. The unowned nodes belong to no thread.
bool InlineTrees::is_of_earlier(std::uint64_t slot) const noexcept {
  for (const InlineTrees* trees = before_; trees != nullptr; trees = trees->before_) {
    if (trees->region_.has(slot)) return !trees->region_.is_unowned(slot);
  }
  return false;
}

// Also when others wish that this thread's tree were smaller, or there is recursion to merge in it.
std::uint32_t InlineTrees::place_without_room(InlineThread& thread, std::uint64_t slot,
                                              MethodId method, std::uint32_t slots) noexcept {
  if (before_nodes_go_) before_nodes_go_(*thread.header);
  const std::lock_guard lock(threads_.mutex);
  end_last_large();
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
  return std::max(kLeastShare, region_bytes_ / 8 / threads_.live_count());
}

bool InlineTrees::may_shrink(const InlineThread& thread) const noexcept {
  return !thread.closed && !thread.lost_track && !keeps_all_.load(std::memory_order_relaxed);
}

bool InlineTrees::worth_shrinking(const InlineThread& thread) const noexcept {
  const std::uint64_t made = thread.tree.made_bytes();
  return may_shrink(thread) && made >= own_share() && made >= thread.tree.kept_bytes();
}

void InlineTrees::shrink(InlineThread& thread, std::uint64_t slot) noexcept {
  excerpts_.end_left_open(thread, slot);
  if (move_to_master(thread)) {
    thread.tree.keep_only(slot);
    if (slices_) slices_->shrank(thread, slot);
  } else {
    thread.misses_slices = true;
  }
  recursion_.put_off(thread);
}

std::uint64_t InlineTrees::entry(shadowstack::ThreadHeader* header) noexcept {
  InlineThread* const thread = InlineThread::of(*header);
  if (thread == nullptr) return header->unowned + kInlineSlots;
  const std::lock_guard lock(thread->mutex);
  const std::uint64_t root = thread->closed ? 0 : thread->tree.root_slot();
  return root != 0 ? root : header->unowned + kInlineSlots;
}

std::uint64_t InlineTrees::place_in_own(shadowstack::ThreadHeader* header, std::uint64_t slot,
                                        MethodId method) noexcept {
  const InlineThread* const thread = InlineThread::of(*header);
  // A header without a thread is the unowned one.
  return thread == nullptr ? header->unowned : thread->owner.place(header, slot, method);
}

std::uint64_t InlineTrees::slot_behind(shadowstack::ThreadHeader* header, std::uint64_t frame,
                                       Constructs constructs) noexcept {
  const auto* node = reinterpret_cast<const InlineNode*>(frame - kInlineSlots);
  const InlineThread* const thread = InlineThread::of(*header);
  // Frames of an earlier recording, and those of lost calls, are in no tree of the thread.
  while (thread != nullptr && thread->tree.has(node->entry)) {
    const InlineRegion& region = thread->owner.region_;
    const InlineNode& caller = region.node(region.node_with(node->entry));
    const SiteOrdinal site = site_of_slot(caller, node->entry);
    if (!constructs(MethodId{caller.method}, site, MethodId{node->method})) break;
    node = &caller;
    end_slice(header, reinterpret_cast<std::uint64_t>(node) + kInlineSlots);
  }
  return node->entry;
}

void InlineTrees::rename(shadowstack::ThreadHeader* header, std::string_view name) noexcept {
  const std::lock_guard lock(threads_.mutex);
  InlineThread* const thread = InlineThread::of(*header);
  if (is_left_ || thread == nullptr || &thread->owner != this) return;
  const std::lock_guard thread_lock(thread->mutex);
  if (thread->live) threads_.rename(*thread, name);
}

// Returns false without memory to reach all of it (inline_master.h).
bool InlineTrees::move_to_master(InlineThread& thread, Moves moves) noexcept {
  excerpts_.keep_counts(thread);
  if (slices_) slices_->keep_counts(thread);
  return master_.move(thread, [&](InlineMove& move, InlineTree::Totals& totals) {
    (thread.tree.*moves)(move, totals);
  });
}

void InlineTrees::detach(shadowstack::ThreadHeader* header) noexcept {
  const std::lock_guard lock(threads_.mutex);
  InlineThread* const thread = InlineThread::of(*header);
  if (is_left_ || thread == nullptr || &thread->owner != this) return;
  if (thread == last_large_.load()) return;
  const std::lock_guard thread_lock(thread->mutex);
  if (!thread->live) return;
  if (!thread->closed && slices_) {
    slices_->end_thread(*thread);
    if (InlineSlices::has_open_slice(*thread)) ++open_at_end_;
  }
  thread->tree.end_slice();
  if (!thread->closed && thread->tree.is_large()) {
    end_last_large();
    last_large_.store(thread);
  } else {
    end(*thread);
  }
}

void InlineTrees::end(InlineThread& thread) noexcept {
  if (!thread.closed) move_to_master(thread);
  excerpts_.drop(thread);
  threads_.end(thread);
}

void InlineTrees::end_last_large() noexcept {
  InlineThread* const thread = last_large_.exchange(nullptr);
  if (thread == nullptr) return;
  const std::lock_guard thread_lock(thread->mutex);
  end(*thread);
}

Status InlineTrees::begin() {
  const std::lock_guard lock(threads_.mutex);
  try {
    std::vector<InlineLeftOut> counts = {
        {calls_of(region_.unowned()), region_.number(region_.unowned())}};
    threads_.each_counting([&](InlineThread& thread) { thread.tree.note_counts(counts); });
    left_out_.emplace(memory_, counts.size());
    if (!left_out_->ensure(counts.size())) throw std::bad_alloc();
    std::ranges::copy(counts, left_out_->data());
    run_.left_out = reinterpret_cast<std::uint64_t>(left_out_->data());
    run_.left_out_count = counts.size();
  } catch (const std::bad_alloc&) {
    left_out_.reset();
    return Status::error(Fault::kLimit, "memory: no room for the calls before the recording");
  }
  threads_.each_counting([&](InlineThread& thread) { thread.tree.leave_out(left_out_->data()); });
  master_.clear();
  threads_.forget_calls();
  open_at_end_ = 0;
  if (slices_) slices_->begin_recording();
  shadowstack::in_this_order();
  run_.waits = 0;
  return {};
}

// Calls of threads without memory for a tree, counted together.
std::uint64_t InlineTrees::unowned_calls() const noexcept {
  return calls_of(region_.unowned()) - (left_out_ ? left_out_->data()[0].calls : 0);
}

void InlineTrees::close() noexcept {
  const std::lock_guard lock(threads_.mutex);
  threads_.close();
  // Without a lock. First, because threads whose recording has ended count there too.
  master_.add_lost(unowned_calls());
  bool moved_all = true;
  threads_.each_counting([&](InlineThread& thread) {
    thread.closed = true;
    if (InlineSlices::has_open_slice(thread)) ++open_at_end_;
    if (move_to_master(thread, &ThreadTrees::spend_counts)) {
      thread.tree.hide();
    } else {
      moved_all = false;
    }
  });
  shadowstack::in_this_order();
  run_.closed = 1;
  end_last_large();
  if (moved_all) forget_trees();
}

// The report needs the memory. Threads may still run probes, whose nodes turn into zeros under them:
// into empty slots, and frames without callees.
void InlineTrees::forget_trees() noexcept {
  region_.empty();
  threads_.each([](InlineThread& thread) { thread.tree.forget(); });
}

// All threads are closed from here on. What they do under their mutex, such as a call that is being placed, is over, or
// sees so first.
void InlineTrees::leave() noexcept {
  if (!threads_.are_closed()) close();
  const std::lock_guard lock(threads_.mutex);
  is_left_ = true;
  excerpts_.drop_all();
  threads_.release();
  if (slices_) slices_->forget();
  if (measured_) measured_->release();
  master_.release();
  merged_->release();
  left_out_.reset();
  region_.leave();
  run_memory_.release();
}

void InlineTrees::keep_tree_alone() noexcept {
  const std::lock_guard lock(threads_.mutex);
  master_.tree().forget_tables();
}

Result<RecordingSnapshot> InlineTrees::snapshot() const {
  try {
    const std::lock_guard lock(threads_.mutex);
    RecordingSnapshot so_far;
    std::unique_ptr<Cct> tree = master_.tree().copy();
    shadowstack::ThreadRows rows = threads_.rows();
    so_far.calls_seen = master_.calls_seen();
    std::uint64_t lost = master_.calls_lost();
    threads_.each_counting([&](const InlineThread& thread) {
      const InlineTree::Totals totals = thread.tree.add_to(*tree, master_.most_nodes());
      so_far.calls_seen += totals.calls;
      lost += totals.lost;
      rows.add_calls(thread.index, thread.tree.first_key(), totals.calls);
    });
    if (!threads_.are_closed()) {
      const std::uint64_t unowned = unowned_calls();
      so_far.calls_seen += unowned;
      lost += unowned;
    }
    if (measured_ != nullptr) so_far.measured = measured_->lay_on(*tree);
    so_far.calls_lost = so_far.calls_without_room = lost + tree->calls_lost();
    if (has_slices()) {
      std::uint64_t open = open_at_end_;
      threads_.each_counting([&](const InlineThread& thread) {
        if (InlineSlices::has_open_slice(thread)) ++open;
      });
      so_far.slices = lay_slices(slices_->so_far(open), *tree);
    }
    tree->forget_tables();
    so_far.tree = std::move(tree);
    so_far.threads = rows.list();
    return so_far;
  } catch (const std::bad_alloc&) {
    return Result<RecordingSnapshot>::error(Fault::kLimit,
                                            "memory: no room for a copy of the tree");
  }
}

std::uint64_t InlineTrees::calls_seen() const noexcept {
  const std::lock_guard lock(threads_.mutex);
  return master_.calls_seen();
}

std::uint64_t InlineTrees::calls_without_room() const noexcept {
  const std::lock_guard lock(threads_.mutex);
  return master_.calls_lost() + master_.tree().calls_lost();
}

std::vector<shadowstack::ThreadRow> InlineTrees::threads() const {
  const std::lock_guard lock(threads_.mutex);
  return threads_.rows().list();
}

Status InlineTrees::follow_slices(std::uint32_t keep, bool tells_none) {
  tells_no_slices_ = tells_none;
  if (!region_.keep_seen_calls()) {
    if (!tells_none) return {};
    return Status::error(Fault::kLimit, "memory: no room to follow slices");
  }
  slices_ = std::make_unique<InlineSlices>(keep, region_, threads_, run_.slices);
  slices_->begin_recording();
  return {};
}

// Returns the recording of the thread if it follows slices.
InlineTrees* InlineTrees::sliced_by(const InlineThread* thread) noexcept {
  return thread == nullptr || thread->owner.slices_ == nullptr ? nullptr : &thread->owner;
}

void InlineTrees::set_span(shadowstack::ThreadHeader* header, const SpanIds& span) noexcept {
  if (InlineThread* const thread = InlineThread::of(*header); thread != nullptr) {
    InlineSlices::set_span(*thread, span);
  }
}

bool InlineTrees::begin_slice(shadowstack::ThreadHeader* header, std::uint64_t frame,
                              bool has_clock) noexcept {
  InlineThread* const thread = InlineThread::of(*header);
  InlineTrees* const trees = sliced_by(thread);
  if (trees == nullptr) return false;
  if (trees->keeps_all_.load(std::memory_order_relaxed)) {
    trees->slices_->add_in_part();
    return false;
  }
  const auto& before_slices = trees->measuring_.before_slices;
  if (before_slices && !InlineSlices::is_open(*thread)) before_slices(*header);
  return trees->slices_->begin(*thread, frame, has_clock);
}

void InlineTrees::end_slice(shadowstack::ThreadHeader* header, std::uint64_t frame) noexcept {
  InlineThread* const thread = InlineThread::of(*header);
  InlineTrees* const trees = sliced_by(thread);
  if (trees == nullptr) return;
  const auto& before_slices = trees->measuring_.before_slices;
  if (before_slices && InlineSlices::ends(*thread, frame)) before_slices(*header);
  trees->slices_->end(*thread, frame, !trees->keeps_all_.load(std::memory_order_relaxed));
}

std::uint64_t InlineTrees::begin_slice_here(
    shadowstack::ThreadHeader* header, std::uint64_t slot, bool has_clock,
    const std::function<MethodId()>& method_of_name) noexcept {
  InlineThread* const thread = InlineThread::of(*header);
  InlineTrees* const trees = sliced_by(thread);
  if (trees == nullptr) return 0;
  if (trees->keeps_all_.load(std::memory_order_relaxed)) {
    trees->slices_->add_in_part();
    return 0;
  }
  const auto& before_slices = trees->measuring_.before_slices;
  if (before_slices && !InlineSlices::is_open(*thread)) before_slices(*header);
  return trees->slices_->begin_here(*thread, slot, method_of_name(), has_clock);
}

void InlineTrees::end_slice_here(shadowstack::ThreadHeader* header, std::uint64_t slot,
                                 std::uint64_t id) noexcept {
  InlineThread* const thread = InlineThread::of(*header);
  InlineTrees* const trees = sliced_by(thread);
  if (trees == nullptr) return;
  if (trees->measuring_.before_slices) trees->measuring_.before_slices(*header);
  trees->slices_->end_here(*thread, slot, id, !trees->keeps_all_.load(std::memory_order_relaxed));
}

std::uint64_t InlineTrees::hand_over(shadowstack::ThreadHeader* header, std::uint64_t slot,
                                     std::uint64_t before) noexcept {
  InlineThread* const thread = InlineThread::of(*header);
  InlineTrees* const trees = sliced_by(thread);
  return trees == nullptr ? 0 : trees->slices_->hand_over(*thread, slot, before);
}

void InlineTrees::begin_task(shadowstack::ThreadHeader* header, std::uint64_t slot,
                             std::uint64_t task, bool has_clock, bool is_thread) noexcept {
  InlineThread* const thread = InlineThread::of(*header);
  InlineTrees* const trees = sliced_by(thread);
  if (trees == nullptr || trees->keeps_all_.load(std::memory_order_relaxed)) return;
  const auto& before_slices = trees->measuring_.before_slices;
  if (task != 0 && before_slices && !InlineSlices::is_open(*thread)) before_slices(*header);
  trees->slices_->begin_task(*thread, slot, task, has_clock, is_thread);
}

void InlineTrees::end_task(shadowstack::ThreadHeader* header, std::uint64_t slot,
                           bool ends_all) noexcept {
  InlineThread* const thread = InlineThread::of(*header);
  InlineTrees* const trees = sliced_by(thread);
  if (trees == nullptr || !InlineSlices::is_open(*thread)) return;
  if (trees->measuring_.before_slices) trees->measuring_.before_slices(*header);
  trees->slices_->end_task(*thread, slot, ends_all,
                           !trees->keeps_all_.load(std::memory_order_relaxed));
}

// A slice is followed in one tree; excerpts have trees of their own.
void InlineTrees::meets_excerpt(InlineThread& thread) noexcept {
  if (slices_ == nullptr) return;
  const std::lock_guard lock(thread.mutex);
  if (!thread.closed) slices_->meets_excerpt(thread);
}

std::optional<LaidSlices> InlineTrees::slices() const {
  if (!has_slices()) return std::nullopt;
  const std::lock_guard lock(threads_.mutex);
  return lay_slices(slices_->so_far(open_at_end_), master_.tree());
}

std::uint64_t InlineTrees::begin_excerpt(shadowstack::ThreadHeader* header, std::uint64_t slot,
                                         Whose whose) noexcept {
  InlineThread* const thread = InlineThread::of(*header);
  if (thread == nullptr) return 0;
  InlineTrees& trees = thread->owner;
  if (trees.keeps_all_.load(std::memory_order_relaxed)) return kResumesFrames;
  trees.meets_excerpt(*thread);
  return trees.excerpts_.begin(*thread, slot, whose);
}

std::optional<Excerpt> InlineTrees::end_excerpt(shadowstack::ThreadHeader* header,
                                                std::uint64_t slot) noexcept {
  InlineThread* const thread = InlineThread::of(*header);
  if (thread == nullptr) return std::nullopt;
  InlineTrees& trees = thread->owner;
  if (trees.before_nodes_go_) trees.before_nodes_go_(*header);
  trees.meets_excerpt(*thread);
  return trees.excerpts_.end(*thread, slot);
}

}  // namespace copse::cct
