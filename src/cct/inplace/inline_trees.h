// The recorder of runs without packets: the probes of every thread build a tree in place
// (inline_layout.h). When the thread or the run ends, the tree is added to the master.
//
// Compared with packets and workers: it uses the program's own processors alone, and a call costs
// less in all. A node is twice the size, and live threads that run the same contexts have separate
// nodes for them.
//
// Nothing is lost for lack of room. A tree without room moves its counts to the master and keeps
// only the nodes of its live frames; the master evicts its coldest subtrees. A thread with a small
// tree exceeds the bound a little instead, and the others shrink when they next meet a new call. A
// thread that meets no new call keeps its memory.
//
// Where recursion makes contexts without number, the cycles of methods that make most of them are
// found while the program runs. Their recursion is merged from then on, in all trees and in the
// master.
//
// This class is the probes' slow path and the recording as a whole. Its parts: the registry of
// threads (inline_threads.h), the master (inline_master.h), the search for recursion
// (recursion_watch.h), and excerpts for unit tests (inline_excerpts.h).
//
// Thread-safe. Locks: one mutex for the parts (InlineThreads::mutex), one per tree, taken when a
// probe meets a call for the first time. Order: parts, then tree.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "base/status.h"
#include "cct/cct.h"
#include "cct/inplace/excerpt.h"
#include "cct/inplace/inline_excerpts.h"
#include "cct/inplace/inline_layout.h"
#include "cct/inplace/inline_master.h"
#include "cct/inplace/inline_region.h"
#include "cct/inplace/inline_run.h"
#include "cct/inplace/inline_slices.h"
#include "cct/inplace/inline_threads.h"
#include "cct/inplace/recording_snapshot.h"
#include "cct/inplace/recursion_watch.h"
#include "cct/measured_contexts.h"
#include "cct/measured_threads.h"
#include "cct/merged_methods.h"
#include "cct/recursion.h"
#include "shadowstack/lazy_array.h"
#include "shadowstack/packets/thread_recorder.h"

namespace copse::cct {

class InlineTrees final : public shadowstack::ThreadRecorder, public MeasuredThreads {
 public:
  // Returns the number of call sites of a method, at most 65535. REQUIRES: the answer never changes
  // while the method may run.
  using SiteCount = std::function<std::uint32_t(MethodId)>;

  // Gives half of `most_bytes` to the trees and half to the master. Throws std::bad_alloc when
  // there is no memory to start with.
  //
  // Everything is in `memory`, an InlineRun first, and stays readable there when the process is
  // killed (src/recover).
  //
  // `before`: the process's last recording, which has ended, if probes number the nodes of both;
  // frames from then may still run probes. nullptr means none.
  InlineTrees(std::uint64_t most_bytes, SiteCount site_count,
              shadowstack::MemorySource& memory = shadowstack::anonymous_memory(),
              const RecursionOptions& recursion = {}, InlineTrees* before = nullptr);
  ~InlineTrees() override;

  shadowstack::ThreadHeader* attach(std::int64_t runtime_thread_id,
                                    std::string_view name) noexcept override;
  void rename(shadowstack::ThreadHeader* header, std::string_view name) noexcept override;
  void detach(shadowstack::ThreadHeader* header) noexcept override;
  void close() noexcept override;

  // Has the recording begin later: nothing is part of it until begin(). A reader of the memory of a
  // killed process finds no calls until then. REQUIRES: no thread has started.
  void wait_to_begin() noexcept { run_.waits = 1; }
  // Begins the recording: calls until now are no part of it, but the frames that live are known.
  // Measures are not changed. Cost: a pass over the trees of living threads, 16 bytes for each of
  // their contexts. Returns an error, with nothing changed, if there is no memory.
  Status begin();

  // Stops trees from shrinking; calls without room are lost from now on. For programs whose threads
  // may return to frames that are not on their stack, or go on in frames of another thread.
  void keep_all_nodes() noexcept { keeps_all_.store(true, std::memory_order_relaxed); }

  // Returns the address of the node of `method` in `slot`, made if need be: the probes' slow path.
  // Returns the unowned node (inline_region.h) when there is no memory at all. A slot of the unowned node or of an
  // earlier recording, and a number that is no slot, mean the thread's entry. Called by: the header's thread.
  std::uint64_t place(shadowstack::ThreadHeader* header, std::uint64_t slot,
                      MethodId method) noexcept;
  // Returns the slot of calls that the thread makes at its entry; one of the unowned node without memory. Called by: the
  // header's thread.
  static std::uint64_t entry(shadowstack::ThreadHeader* header) noexcept;
  // Does what place() does in the recording of the header: frames may outlive their recording.
  static std::uint64_t place_in_own(shadowstack::ThreadHeader* header, std::uint64_t slot,
                                    MethodId method) noexcept;

  // Returns the slot in which the next callee hangs once the frame of a constructor has ended by an exception: that in
  // which the frame hangs or, while `constructs` returns true for the slot and the frame's method, that in which the
  // slot's own frame hangs. Ends the slice that such a frame began. Called by: the header's thread.
  using Constructs = bool (*)(MethodId caller, SiteOrdinal site, MethodId callee);
  static std::uint64_t slot_behind(shadowstack::ThreadHeader* header, std::uint64_t frame,
                                   Constructs constructs) noexcept;

  // Address from which node numbers count; the same in consecutive recordings.
  std::uint64_t node_base() const noexcept { return region_.base(); }
  // Returns the address of the node that belongs to no thread.
  std::uint64_t unowned_node() const noexcept { return region_.unowned_address(); }

  // Sets the function that maps a thread's name to the method, not one of the program's, below
  // which the thread's contexts hang. REQUIRES: no thread has started.
  void group_threads(std::function<MethodId(std::string_view name)> group_of) {
    group_of_ = std::move(group_of);
  }

  void measure(Measuring how) override;
  MeasuredContexts& measured() noexcept override { return *measured_; }
  void before_places_go(std::function<void(const shadowstack::ThreadHeader&)> task) override {
    before_nodes_go_ = std::move(task);
  }
  // Adds to columns in the context of a place, whose word is a slot in the thread's tree. Amounts
  // of other places, such as those of a thread without a recorded call, are outside.
  void add(const shadowstack::ThreadHeader& header, const shadowstack::ThreadPlace& place,
           std::span<const ColumnAmount> amounts, MethodId below = kNoMethod,
           const shadowstack::CodePlace* code = nullptr) noexcept override;
  void add_to_slice(const shadowstack::ThreadHeader& header, const shadowstack::ThreadPlace& place,
                    std::size_t column, std::uint64_t ns) noexcept override;
  std::uint64_t word_in(shadowstack::ThreadHeader& header, std::uint64_t word,
                        MethodId callee) noexcept override {
    return place_in_own(&header, word, callee) + kInlineSlots;
  }
  std::optional<ThreadIndex> path_of(const shadowstack::ThreadHeader& header,
                                     const shadowstack::ThreadPlace& place, MethodId entered,
                                     std::vector<ContextKey>& path) const override;
  // Returns the columns of tree(), which gets a node for every context with an amount. REQUIRES:
  // close() was called; called once. Throws std::bad_alloc.
  std::vector<MeasuredColumn> lay_measured();

  std::uint64_t calls_seen() const noexcept override;
  std::uint64_t calls_lost() const noexcept override { return 0; }  // see calls_without_room()
  std::uint64_t packets() const noexcept override { return 0; }
  std::vector<shadowstack::ThreadRow> threads() const override;

  // Begins an excerpt (excerpt.h) of the running thread's calls, or of others' as well, which lasts
  // until end_excerpt(). Excerpts may be nested. Returns the slot that the thread's word must
  // become; the word was `slot`, and must be `slot` again when the excerpt ends. Returns 0 after
  // the end of recording and without memory, and kResumesFrames after keep_all_nodes(). Called by,
  // like end_excerpt(): the header's thread. Cost: a microsecond; of all threads, a pass over the
  // trees of the others.
  using Whose = InlineExcerpts::Whose;
  static constexpr std::uint64_t kResumesFrames = 1;
  static std::uint64_t begin_excerpt(shadowstack::ThreadHeader* header, std::uint64_t slot,
                                     Whose whose) noexcept;
  // Ends and returns the excerpt that began with this slot; excerpts left open inside it end too.
  // Returns std::nullopt if recording has ended meanwhile. Cost: by the size of the excerpt and the
  // depth at which it began; of all threads, another pass.
  static std::optional<Excerpt> end_excerpt(shadowstack::ThreadHeader* header,
                                            std::uint64_t slot) noexcept;

  // Has the recording follow slices (slices.h), and keep so many for each reason. `tells_none`: slices() tells that there
  // were none. Returns an error without memory if so; else slices are then not followed. REQUIRES: no thread has started.
  Status follow_slices(std::uint32_t keep, bool tells_none = true);
  // Begin and end a slice at a frame, by the address of its node's first slot: at the entry, once it is counted, and at
  // each end. For frames inside an open slice, and frames that began none, nothing changes. Called by: the header's
  // thread. Cost: under a microsecond, and some 10 ns for each context that was called.
  // begin_slice() returns whether a slice begins.
  static bool begin_slice(shadowstack::ThreadHeader* header, std::uint64_t frame,
                          bool has_clock) noexcept;
  // Sets the span in which the open slice of the header's thread began. Called by: that thread.
  static void set_span(shadowstack::ThreadHeader* header, const SpanIds& span) noexcept;
  static void end_slice(shadowstack::ThreadHeader* header, std::uint64_t frame) noexcept;
  // Begins a slice in mid-frame, at the slot of the thread's next callee (inline_slices.h), and returns its number; 0 if
  // none begins. `method_of_name`: returns a method that stands for its name. Called by, like end_slice_here(): the
  // header's thread.
  static std::uint64_t begin_slice_here(shadowstack::ThreadHeader* header, std::uint64_t slot,
                                        bool has_clock,
                                        const std::function<MethodId()>& method_of_name) noexcept;
  static void end_slice_here(shadowstack::ThreadHeader* header, std::uint64_t slot,
                             std::uint64_t id) noexcept;
  // Hand a task over in the thread's open slice, and begin and end its run in the header's thread (inline_slices.h). Called
  // by: the header's thread. Cost: a microsecond; without a slice, some 30 ns.
  static std::uint64_t hand_over(shadowstack::ThreadHeader* header, std::uint64_t slot,
                                 std::uint64_t before) noexcept;
  static void begin_task(shadowstack::ThreadHeader* header, std::uint64_t slot, std::uint64_t task,
                         bool has_clock, bool is_thread) noexcept;
  static void end_task(shadowstack::ThreadHeader* header, std::uint64_t slot,
                       bool ends_all) noexcept;
  // Returns the slices of the recording, in tree(); std::nullopt if there are none to tell. REQUIRES: close() was called.
  // Throws std::bad_alloc.
  std::optional<LaidSlices> slices() const;

  // Returns the calls so far, those of live threads too, while probes go on. A thread that starts
  // or ends waits until the snapshot is made; a call met for the first time waits while its
  // thread's tree is read. Cost: one pass over the master and every live tree, and the memory of
  // their sum.
  Result<RecordingSnapshot> snapshot() const;

  // Gives back all memory but address space that frames of the recording may touch: the program goes on, and nothing is
  // asked of the recording any more. Ends it, if close() was not called.
  void leave() noexcept;

  // Sum of all threads' trees. REQUIRES: close() was called.
  const ContextTree& tree() const noexcept { return master_.tree(); }
  // Gives back memory that tree() does not need. Neither lay_measured() nor slices() may follow.
  void keep_tree_alone() noexcept;
  // Calls seen that are not in tree(): the only lost ones.
  std::uint64_t calls_without_room() const noexcept;
  std::uint64_t memory_bytes() const noexcept { return region_.memory_bytes(); }

 private:
  void add_to_thread(ThreadIndex thread, std::span<const ColumnAmount> amounts) noexcept override {
    threads_.rows().add_amounts(thread, amounts);
  }
  void forget_callees() noexcept;
  InlineThread* whose(std::uint64_t slot, InlineThread* running) noexcept;
  std::uint64_t corrected(const InlineThread& thread, std::uint64_t slot,
                          const shadowstack::CodePlace* code) const noexcept;
  void add_in_tree(InlineThread& thread, std::uint64_t slot, const ColumnAmount& amount,
                   MethodId below);
  void find_path(const InlineThread& thread, std::uint64_t slot, MethodId entered,
                 std::vector<ContextKey>& path) const;
  bool is_of_earlier(std::uint64_t slot) const noexcept;
  std::uint64_t unowned_calls() const noexcept;
  std::uint32_t place_at_root(InlineThread& thread, std::uint64_t slot, MethodId method,
                              std::uint32_t slots) noexcept;
  std::uint32_t place_without_room(InlineThread& thread, std::uint64_t slot, MethodId method,
                                   std::uint32_t slots) noexcept;
  std::uint64_t own_share() const noexcept;
  bool worth_shrinking(const InlineThread& thread) const noexcept;
  bool may_shrink(const InlineThread& thread) const noexcept;
  void shrink(InlineThread& thread, std::uint64_t slot) noexcept;
  using Moves = void (ThreadTrees::*)(InlineMove&, InlineTree::Totals&);
  bool move_to_master(InlineThread& thread, Moves moves = &ThreadTrees::move_counts) noexcept;
  void end(InlineThread& thread) noexcept;
  void end_last_large() noexcept;
  void forget_trees() noexcept;
  static InlineTrees* sliced_by(const InlineThread* thread) noexcept;
  bool has_slices() const noexcept {
    return slices_ != nullptr && (tells_no_slices_ || slices_->any());
  }
  void meets_excerpt(InlineThread& thread) noexcept;

  shadowstack::MemorySource& memory_;
  const SiteCount site_count_;
  const std::uint64_t region_bytes_;
  shadowstack::LazyArray<InlineRun> run_memory_;
  InlineRun& run_;
  const std::shared_ptr<MergedMethods> merged_;
  InlineTrees* const before_;
  InlineRegion region_;
  std::atomic<bool> keeps_all_{false};
  std::atomic<std::uint32_t> wishes_{
      0};  // number of times a thread found no room: the others then shrink

  InlineThreads threads_;
  InlineMaster master_;
  RecursionWatch recursion_;
  InlineExcerpts excerpts_;
  std::unique_ptr<InlineSlices> slices_;  // nullptr if none are followed
  bool tells_no_slices_ = false;
  std::uint64_t open_at_end_ = 0;  // slices whose threads ended inside them
  bool is_left_ = false;           // leave() was called; written under the lock of the parts
  // The thread with a large tree that ended last: mostly the program ends with it, and close() gives the tree's memory
  // back while it moves the counts, which cannot be done with memory that is handed out again. It counts as live until
  // the tree of another thread gets large, or a thread finds no room. Written under the lock of the parts.
  std::atomic<InlineThread*> last_large_{nullptr};

  // Calls before begin() of the nodes that live on; the first entry is the unowned node's. Set by
  // begin().
  std::optional<shadowstack::LazyArray<InlineLeftOut>> left_out_;

  std::unique_ptr<MeasuredContexts> measured_;  // nullptr when nothing is measured
  // Constant; functions may be empty.
  Measuring measuring_;
  std::function<MethodId(std::string_view name)> group_of_;
  std::function<void(const shadowstack::ThreadHeader&)> before_nodes_go_;
};

}  // namespace copse::cct
