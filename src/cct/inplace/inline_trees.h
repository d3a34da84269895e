// The recorder of runs without packets: every thread's probes build a tree of their own in place
// (inline_layout.h), and when the thread ends, or the run does, the tree is added to the master.
//
// Against packets and workers: no processor but the program's own is used and a call costs less in
// all, while a node is twice the size and threads that do the same have it once each while they
// live.
//
// Nothing is lost for lack of room. A tree that finds none moves its counts to the master and keeps
// only what its live frames stand on; the master evicts its coldest subtrees. A thread whose tree
// is small goes over the bound a little instead, and the others shrink when they next meet a new
// call: a thread that meets no new call keeps what it holds.
//
// Where recursion makes contexts without number, the cycles of methods that make most of them are
// found while the program runs, and their recursion is merged from then on, in all trees and in the
// master.
//
// Threads: any. Locks: one mutex for the tables and the master, one per tree, taken when a probe
// meets a call for the first time. Order: tables, then tree.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "base/status.h"
#include "cct/cct.h"
#include "cct/inplace/excerpt.h"
#include "cct/inplace/inline_layout.h"
#include "cct/inplace/inline_move.h"
#include "cct/inplace/inline_region.h"
#include "cct/inplace/inline_run.h"
#include "cct/inplace/inline_tree.h"
#include "cct/inplace/measured_threads.h"
#include "cct/inplace/recording_snapshot.h"
#include "cct/measured_contexts.h"
#include "cct/merged_methods.h"
#include "cct/recursion.h"
#include "shadowstack/header_region.h"
#include "shadowstack/kept_thread_rows.h"
#include "shadowstack/lazy_array.h"
#include "shadowstack/packets/thread_recorder.h"

namespace copse::cct {

class InlineTrees final : public shadowstack::ThreadRecorder, public MeasuredThreads {
 public:
  // How many call sites a method has: the same answer for as long as it may run, at most 65535.
  using SiteCount = std::function<std::uint32_t(MethodId)>;

  // Half of `most_bytes` is for the trees, half for the master they are added to. Throws
  // std::bad_alloc when there is no memory to start with; nothing else here throws.
  // Everything is in `memory`, an InlineRun first, and stays readable there when the process is
  // killed (src/recover).
  // `before`: the process's last recording, which has ended, when probes number the nodes of both.
  // Frames from then may still run probes.
  InlineTrees(std::uint64_t most_bytes, SiteCount site_count,
              shadowstack::MemorySource& memory = shadowstack::anonymous_memory(),
              const RecursionOptions& recursion = {}, InlineTrees* before = nullptr);
  ~InlineTrees() override;

  shadowstack::ThreadHeader* attach(std::int64_t runtime_thread_id,
                                    std::string_view name) noexcept override;
  void rename(shadowstack::ThreadHeader* header, std::string_view name) noexcept override;
  void detach(shadowstack::ThreadHeader* header) noexcept override;
  void close() noexcept override;

  // From now on no tree shrinks, and what finds no room is lost: for programs whose threads may
  // come back to frames that are not on their stack, or go on in frames of another thread's.
  void keep_all_nodes() noexcept { keeps_all_.store(true, std::memory_order_relaxed); }

  // The probes' slow path: the address of the node that `method` has in `slot`, made if need be;
  // nobody's when there is no memory at all. A slot of nobody's, or of a recording before, stands for
  // the thread's entry.
  // Called by: the header's thread.
  std::uint64_t place(shadowstack::ThreadHeader* header, std::uint64_t slot,
                      MethodId method) noexcept;
  // The same in the recording that the header is of: frames may outlive theirs.
  static std::uint64_t place_in_own(shadowstack::ThreadHeader* header, std::uint64_t slot,
                                    MethodId method) noexcept;

  // Address of what node numbers count from, the same in recordings that follow each other.
  std::uint64_t node_base() const noexcept { return region_.base(); }

  // Before the first thread: what the contexts of a thread of that name hang below, a method that the
  // program has not.
  void group_threads(std::function<MethodId(std::string_view name)> group_of) {
    group_of_ = std::move(group_of);
  }

  void measure(Measuring how) override;
  MeasuredContexts& measured() noexcept override { return *measured_; }
  void before_places_go(std::function<void(const shadowstack::ThreadHeader&)> task) override {
    before_nodes_go_ = std::move(task);
  }
  // The place's word is a slot of a frame in the thread's tree; what is none, as that of a thread
  // that made no recorded call yet, is outside.
  void add(const shadowstack::ThreadHeader& header, const shadowstack::ThreadPlace& place,
           std::span<const ColumnAmount> amounts, MethodId below = kNoMethod) noexcept override;
  std::uint64_t word_in(shadowstack::ThreadHeader& header, std::uint64_t word,
                        MethodId callee) noexcept override {
    return place_in_own(&header, word, callee) + kInlineSlots;
  }
  bool path_of(const shadowstack::ThreadHeader& header, const shadowstack::ThreadPlace& place,
               std::vector<ContextKey>& path) const override;
  // After close(), once: columns of tree(), which gets a node for every context that has any of
  // them. Throws std::bad_alloc.
  std::vector<MeasuredColumn> lay_measured();

  std::uint64_t calls_seen() const noexcept override;
  std::uint64_t calls_lost() const noexcept override { return 0; }  // see calls_without_room()
  std::uint64_t packets() const noexcept override { return 0; }
  std::vector<shadowstack::ThreadRow> threads() const override;

  // Excerpts (excerpt.h): from now on the running thread's calls, and if asked for those of all
  // threads, are in one, until end_excerpt(); they may be nested. The slot that the thread's word is to
  // be from now on; its word was `slot`, and is to be that again when the excerpt ends. 0: nothing is
  // recorded any more, or there is no memory; kResumesFrames: the program's frames may come back where
  // they are not expected, see keep_all_nodes(). Called by: the header's thread, as the one below.
  // Cost: a microsecond; of all threads, a pass over the trees of the others.
  enum class Whose : std::uint8_t { kOwnCalls, kAllThreads };
  static constexpr std::uint64_t kResumesFrames = 1;
  static std::uint64_t begin_excerpt(shadowstack::ThreadHeader* header, std::uint64_t slot,
                                     Whose whose) noexcept;
  // The excerpt that began with this slot; those inside it that were left open end with it. Nothing when
  // recording has ended meanwhile. Cost: by what is in the excerpt, and by the depth at which it
  // began; of all threads, another pass.
  static std::optional<Excerpt> end_excerpt(shadowstack::ThreadHeader* header,
                                            std::uint64_t slot) noexcept;

  // The calls so far, of threads that live on too; probes go on meanwhile. Threads that start or
  // end wait until it is made, and a call met for the first time while its own thread's tree is
  // read. Cost: one pass over the master and every live tree, and the memory of their sum.
  Result<RecordingSnapshot> snapshot() const;

  // Every thread's tree; after close().
  const ContextTree& tree() const noexcept { return master_; }
  // Calls seen that are not in tree(): the only ones that are lost.
  std::uint64_t calls_without_room() const noexcept;
  std::uint64_t memory_bytes() const noexcept { return region_.memory_bytes(); }

 private:
  struct Thread;
  struct Watch;

  Thread* new_thread();
  void forget_callees() noexcept;
  Thread* whose(std::uint64_t slot, Thread* running) noexcept;
  void find_path(const Thread& thread, std::uint64_t slot, std::vector<ContextKey>& path) const;
  bool is_nobodys_before(std::uint64_t slot) const noexcept;
  std::uint32_t place_at_root(Thread& thread, std::uint64_t slot, MethodId method,
                              std::uint32_t slots) noexcept;
  std::uint64_t nobodys() const noexcept {
    return reinterpret_cast<std::uint64_t>(&region_.nobodys());
  }
  std::uint32_t place_without_room(Thread& thread, std::uint64_t slot, MethodId method,
                                   std::uint32_t slots) noexcept;
  std::uint64_t own_share() const noexcept;
  bool worth_shrinking(const Thread& thread) const noexcept;
  bool may_shrink(const Thread& thread) const noexcept;
  void shrink(Thread& thread, std::uint64_t slot) noexcept;
  bool move_to_master(Thread& thread) noexcept;
  bool move_with(Thread& thread,
                 const std::function<void(InlineMove&, InlineTree::Totals&)>& moves) noexcept;
  bool watch_others(const Thread& thread) noexcept;
  enum class Part : std::uint8_t { kAll, kInnermostExcerpt };
  void keep_for_watches(const Thread& thread, Part part) noexcept;
  std::unique_ptr<Watch> take_watch(const Thread& thread) noexcept;
  void add_others(Watch& watch, Excerpt& excerpt) noexcept;
  std::optional<Excerpt> end_excerpt_of(Thread& thread, std::uint64_t slot) noexcept;
  Excerpt end_innermost(Thread& thread) noexcept;
  void end_left_open(Thread& thread, std::uint64_t slot) noexcept;
  void end_excerpts_but(Thread& thread, std::size_t count) noexcept;
  void forget_trees() noexcept;
  void keep_first_key(const Thread& thread) noexcept;
  std::uint64_t next_look_at(const Thread& thread) const noexcept;
  void look_for_cycles(Thread& thread) noexcept;
  void note_depths() noexcept;
  std::uint64_t contexts() noexcept;

  shadowstack::MemorySource& memory_;
  const SiteCount site_count_;
  const std::uint64_t region_bytes_;
  const std::uint32_t most_nodes_;  // of the master
  shadowstack::LazyArray<InlineRun> run_memory_;
  const RecursionOptions recursion_;
  const std::shared_ptr<MergedMethods> merged_;
  InlineTrees* const before_;
  InlineRegion region_;
  std::atomic<bool> keeps_all_{false};
  std::atomic<std::uint64_t> live_threads_{0};
  std::atomic<std::uint32_t> wishes_{
      0};  // how often a thread found no room: the others are to shrink

  mutable std::mutex mutex_;
  shadowstack::HeaderRegion headers_;  // adding under mutex_, as all below
  Cct master_;
  shadowstack::KeptThreadRows kept_rows_;
  InlineRun* run_ = nullptr;
  bool closed_ = false;
  NextLook next_look_;
  std::vector<std::unique_ptr<Thread>> threads_;  // one per header ever used
  std::vector<Thread*> free_threads_;
  std::vector<std::unique_ptr<Watch>> watches_;  // of open excerpts of all threads
  shadowstack::ThreadRows rows_;
  std::uint64_t calls_seen_ = 0;
  std::uint64_t calls_lost_ = 0;  // beside those of the master

  std::unique_ptr<MeasuredContexts> measured_;  // null: nothing is
  // Constant; functions may be none.
  Measuring measuring_;
  std::function<MethodId(std::string_view name)> group_of_;
  std::function<void(const shadowstack::ThreadHeader&)> before_nodes_go_;
};

}  // namespace copse::cct
