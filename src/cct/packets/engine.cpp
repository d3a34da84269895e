#include "cct/packets/engine.h"

#include <ctime>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <limits>
#include <mutex>
#include <span>
#include <thread>

#include "cct/cct.h"
#include "cct/packets/delta_folder.h"
#include "cct/packets/folder_set.h"
#include "cct/packets/tree_folder.h"
#include "cct/packets/uptree_folder.h"
#include "cct/packets/worker_pool.h"
#include "cct/tree_check.h"
#include "shadowstack/packets/packet_queue.h"

namespace copse::cct {
namespace {

// A worker is woken when this many packets wait: waking costs the producer a system call.
constexpr std::int64_t kPacketsWorthWaking = 8;
// How long a snapshot waits for workers to come to the end of the queue, which they may never do.
constexpr std::chrono::seconds kMostWaitForDrains{1};
constexpr std::size_t kMostTrees = 1u << 16;

unsigned processors() noexcept {
  const unsigned count = std::thread::hardware_concurrency();
  return count == 0 ? 1 : count;
}

// Threads that may fold at the same time: workers, and producers that help.
unsigned most_folders(const EngineOptions& options) noexcept {
  return options.workers + processors();
}

std::uint32_t default_delta_nodes(const EngineOptions& options) noexcept {
  constexpr std::uint64_t kLeast = 1u << 16;
  // Larger uptrees leave the processor's cache: they were slower on three of four streams (copse_bench, scale_uptree).
  if (options.kind == EngineOptions::Kind::kUptree) return kLeast;
  constexpr std::uint64_t kPerWorker = 1u << 17;
  constexpr std::uint64_t kMost = 1u << 20;
  const std::uint64_t share = options.most_nodes / 8 / most_folders(options);
  return static_cast<std::uint32_t>(
      std::max(kLeast, std::min({options.workers * kPerWorker, kMost, share})));
}

EngineOptions with_defaults(EngineOptions options) noexcept {
  if (options.workers == 0) options.workers = processors();
  if (options.delta_nodes == 0) options.delta_nodes = default_delta_nodes(options);
  return options;
}

// Nodes that the master may have while it is beyond its bound: start chains of the greatest depth
// are no reason to lose calls.
std::uint32_t with_slack(std::uint32_t most_nodes) noexcept {
  constexpr std::uint32_t kSlack = 4 * kMaxDepth;
  return most_nodes < Cct::kMostNodes - kSlack ? most_nodes + kSlack : Cct::kMostNodes;
}

// Share of a column in the master's nodes: 1 / kColumnsPart.
constexpr std::uint32_t kColumnsPart = 64;

std::uint64_t thread_cpu_ns() noexcept {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<std::uint64_t>(now.tv_sec) * 1'000'000'000u +
         static_cast<std::uint64_t>(now.tv_nsec);
}

class PoolEngine final : public Engine {
 public:
  PoolEngine(const EngineOptions& options, shadowstack::PacketPool& pool)
      : options_(with_defaults(options)),
        pool_(pool),
        kept_trees_(pool.memory(), kMostTrees),
        kept_master_(keep_tree()),
        master_(pool.memory(), with_slack(options_.most_nodes), &shadowstack::anonymous_memory()),
        merged_(merged_methods(options_.recursion)),
        next_look_(options_.recursion),
        direct_(master_, placing()),
        folders_([this] { return make_folder(); }, most_folders(options_)),
        workers_(options_.workers, [this] { drain(); }) {
    master_.keep_in(kept_master_);
    master_.merge_recursion_of(merged_);
  }

  ~PoolEngine() override { wait_for_drains(); }

  void submit(shadowstack::Packet* packet) noexcept override {
    // Counted before it can be taken, so that the count is never below the queue's length.
    const std::int64_t waiting = waiting_.fetch_add(1) + 1;
    if (!queue_.try_push(packet)) {
      waiting_.fetch_sub(1);
      fold_as_producer({{packet}, 1});
      return;
    }
    if (waiting >= kPacketsWorthWaking * (drains_.load() + 1)) start_drain();
  }

  bool help() noexcept override {
    const Batch batch = take_packets();
    if (batch.count == 0) return false;
    fold_as_producer(batch);
    return true;
  }

  const ContextTree& finish() noexcept override {
    // All processors at once on what is left, this thread among them.
    for (unsigned i = 1; i < options_.workers && waiting_.load() > 1; ++i) start_drain();
    fold_queued();
    wait_for_drains();
    fold_queued();
    folders_.for_each([this](Folder& folder) { merge(folder); });
    workers_.stop();
    return master_;
  }

  Result<RecordingSnapshot> snapshot() noexcept override {
    try {
      fold_waiting();
      {
        std::unique_lock lock(drains_mutex_);
        drain_ended_.wait_for(lock, kMostWaitForDrains, [this] { return drains_.load() == 0; });
      }
      fold_waiting();
      folders_.for_each_free([this](Folder& folder) { merge(folder); });
      RecordingSnapshot so_far;
      std::unique_ptr<Cct> tree;
      {
        const std::lock_guard lock(master_mutex_);
        tree = master_.copy();
      }
      so_far.calls_lost = so_far.calls_without_room = tree->calls_lost();
      so_far.calls_seen = total_calls(*tree) + tree->calls_lost();
      if (measured_ != nullptr) so_far.measured = measured_->lay_on(*tree);
      tree->forget_tables();
      so_far.tree = std::move(tree);
      return so_far;
    } catch (const std::bad_alloc&) {
      return Result<RecordingSnapshot>::error(Fault::kLimit,
                                              "memory: no room for a copy of the tree");
    }
  }

  MeasuredContexts& measure(std::span<const MeasureName> columns, ContextKey outside) override {
    measured_ = std::make_unique<MeasuredContexts>(
        columns, outside, options_.most_nodes / kColumnsPart, merged_, pool_.memory());
    KeptMeasures kept{};
    measured_->keep_in(kept);
    shadowstack::PacketRun& run = pool_.run();
    run.measures = kept.address;
    shadowstack::in_this_order();
    run.measure_count = kept.count;
    return *measured_;
  }

  std::vector<MeasuredColumn> lay_measured() override {
    std::vector<MeasuredColumn> laid;
    if (measured_ != nullptr) laid = measured_->lay_on(master_);
    master_.forget_tables();
    return laid;
  }

  EngineStats stats() const noexcept override {
    const std::lock_guard lock(master_mutex_);
    return {
        .workers = options_.workers,
        .packets_by_workers = by_workers_.load(std::memory_order_relaxed),
        .packets_by_producers = by_producers_.load(std::memory_order_relaxed),
        .merges = merges_,
        .calls_lost = master_.calls_lost(),
        .fold_cpu_ns = fold_cpu_ns_.load(std::memory_order_relaxed),
    };
  }

 private:
  PlacingOptions placing() const { return {options_.sites, merged_}; }

  // The first call is for the master. Throws std::bad_alloc.
  KeptTree& keep_tree() {
    KeptTree* kept = kept_trees_.add();
    if (kept == nullptr) throw std::bad_alloc();
    shadowstack::PacketRun& run = pool_.run();
    run.trees = reinterpret_cast<std::uint64_t>(kept_trees_.data());
    shadowstack::in_this_order();
    run.tree_count = kept_trees_.size();
    return *kept;
  }

  // Throws std::bad_alloc.
  std::unique_ptr<Folder> make_folder() {
    if (options_.make_folder) return options_.make_folder();
    std::unique_ptr<Folder> folder;
    if (options_.kind == EngineOptions::Kind::kUptree) {
      const UptreeFolderOptions options{options_.sites, options_.event_every, options_.delta_nodes};
      folder = std::make_unique<UptreeFolder>(options, pool_.memory());
    } else {
      folder = std::make_unique<DeltaFolder>(placing(), options_.delta_nodes, pool_.memory());
    }
    folder->keep_in(keep_tree());
    return folder;
  }

  // A few packets that are folded together.
  struct Batch {
    shadowstack::Packet* packets[TreeFolder::kLanes];
    std::size_t count = 0;
  };

  Batch take_packets() noexcept {
    Batch batch;
    while (batch.count < TreeFolder::kLanes) {
      shadowstack::Packet* packet = queue_.try_pop();
      if (packet == nullptr) break;
      batch.packets[batch.count++] = packet;
    }
    waiting_.fetch_sub(static_cast<std::int64_t>(batch.count));
    return batch;
  }

  // Straight into the master, which saves the merge, by whoever finds it free; into a folder else.
  void fold(const Batch& batch) noexcept {
    const std::span<shadowstack::Packet* const> packets(batch.packets, batch.count);
    if (options_.kind == EngineOptions::Kind::kParallel && !options_.make_folder) {
      if (const std::unique_lock lock(master_mutex_, std::try_to_lock); lock.owns_lock()) {
        direct_.fold(packets);
        keep_within_bound();
        release(batch);
        return;
      }
    }
    Folder& folder = folders_.take();
    folder.fold(packets);
    release(batch);
    if (folder.full()) merge(folder);
    folders_.give_back(folder);
  }

  void release(const Batch& batch) noexcept {
    for (std::size_t i = 0; i < batch.count; ++i) pool_.release(batch.packets[i]);
  }

  void fold_as_producer(const Batch& batch) noexcept {
    const std::uint64_t start = thread_cpu_ns();
    fold(batch);
    by_producers_.fetch_add(batch.count, std::memory_order_relaxed);
    fold_cpu_ns_.fetch_add(thread_cpu_ns() - start, std::memory_order_relaxed);
  }

  void fold_queued() noexcept { fold_queued(std::numeric_limits<std::int64_t>::max()); }
  // As many as wait now: producers may queue more than is folded meanwhile, for ever.
  void fold_waiting() noexcept { fold_queued(waiting_.load()); }

  // At least `most` packets, where there are so many, and hardly more.
  void fold_queued(std::int64_t most) noexcept {
    const std::uint64_t start = thread_cpu_ns();
    while (most > 0) {
      const Batch batch = take_packets();
      if (batch.count == 0) break;
      fold(batch);
      by_workers_.fetch_add(batch.count, std::memory_order_relaxed);
      most -= static_cast<std::int64_t>(batch.count);
    }
    fold_cpu_ns_.fetch_add(thread_cpu_ns() - start, std::memory_order_relaxed);
  }

  void merge(Folder& folder) noexcept {
    const std::lock_guard lock(master_mutex_);
    folder.merge_into(master_);
    keep_within_bound();
    ++merges_;
  }

  // Under master_mutex_.
  void keep_within_bound() noexcept {
    look_for_cycles();
    if (options_.make_folder || !master_.is_above(options_.most_nodes, false)) return;
    if (master_.kept().rewrite([this] { return master_.evict_above(options_.most_nodes); })) {
      direct_.forget();
    }
  }

  // Under master_mutex_.
  void look_for_cycles() noexcept {
    const std::uint64_t contexts = master_.node_count();
    if (!next_look_.is_due(contexts) || options_.make_folder) return;
    next_look_.found_none(contexts);
    try {
      Cycles cycles;
      master_.add_to(cycles);
      if (!merged_->add_from(cycles) && !master_.is_left_full()) return;
    } catch (const std::bad_alloc&) {
      return;  // contexts stay as exact as they are
    }
    note_depths();
    master_.kept().rewrite([this] { master_.merge_recursion(); });
    direct_.forget();
    next_look_.found_some(master_.node_count());
  }

  // Under master_mutex_. Of what is to be merged, as long as it is not; without memory of less.
  void note_depths() noexcept {
    try {
      RecursionDepths depths(*merged_);
      master_.add_to(depths);
    } catch (const std::bad_alloc&) {
    }
  }

  void start_drain() noexcept {
    {
      const std::lock_guard lock(drains_mutex_);
      if (drains_.load() >= options_.workers) return;
      drains_.fetch_add(1);
    }
    // Without memory for a task the packets stay queued, for producers and for finish().
    if (!workers_.start_one()) end_drain();
  }

  void drain() noexcept {
    fold_queued();
    end_drain();
  }

  void end_drain() noexcept {
    const std::lock_guard lock(drains_mutex_);
    drains_.fetch_sub(1);
    drain_ended_.notify_all();
  }

  void wait_for_drains() noexcept {
    std::unique_lock lock(drains_mutex_);
    drain_ended_.wait(lock, [this] { return drains_.load() == 0; });
  }

  const EngineOptions options_;
  shadowstack::PacketPool& pool_;
  shadowstack::PacketQueue queue_;
  std::atomic<std::int64_t> waiting_{0};  // packets queued, or about to be
  std::atomic<std::uint64_t> by_workers_{0};
  std::atomic<std::uint64_t> by_producers_{0};
  std::atomic<std::uint64_t> fold_cpu_ns_{0};

  shadowstack::ObjectRegion<KeptTree> kept_trees_;  // added to where folders_ makes one

  mutable std::mutex master_mutex_;
  KeptTree& kept_master_;  // the first of kept_trees_
  Cct master_;             // guarded by master_mutex_, like all members up to merges_ but merged_
  const std::shared_ptr<MergedMethods> merged_;  // added to under master_mutex_
  NextLook next_look_;
  TreeFolder direct_;  // folds into the master itself
  std::uint64_t merges_ = 0;

  FolderSet folders_;
  std::unique_ptr<MeasuredContexts> measured_;  // null: nothing is

  std::mutex drains_mutex_;
  std::condition_variable drain_ended_;
  std::atomic<unsigned> drains_{0};  // under way or asked for; changed under drains_mutex_

  WorkerPool workers_;  // last: its threads use all of the above
};

}  // namespace

unsigned workers_beside_program() noexcept { return std::max(processors(), 2u) - 1; }

std::uint32_t nodes_within(std::uint64_t bytes) noexcept {
  constexpr std::uint64_t kBytesPerNode = 28;            // measured on real trees, see reports/
  constexpr std::uint64_t kReportIndices = 0x7fff'fff0;  // a report numbers nodes with 31 bits
  return static_cast<std::uint32_t>(std::min(bytes / kBytesPerNode, kReportIndices));
}

std::unique_ptr<Engine> Engine::make(const EngineOptions& options, shadowstack::PacketPool& pool) {
  return std::make_unique<PoolEngine>(options, pool);
}

}  // namespace copse::cct
