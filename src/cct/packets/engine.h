// Takes packets from application threads and builds the run's context tree, with a worker pool.
//
// Workers drain the queue. A worker that finds the master tree free folds a packet straight into
// it. Others fold into a folder of their own (a delta tree, or an uptree), which is merged into the
// master when it is full. A producer that finds the packet pool empty folds a queued packet in the
// same way. Memory: the master plus a constant per folder.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "base/status.h"
#include "cct/cct.h"
#include "cct/inplace/recording_snapshot.h"
#include "cct/measured_contexts.h"
#include "cct/packets/folder.h"
#include "cct/recursion.h"
#include "shadowstack/packets/packet_pool.h"
#include "shadowstack/packets/packet_sink.h"

namespace copse::cct {

struct EngineOptions {
  enum class Kind {
    kParallel,  // calling context tree
    kUptree,    // calling context uptrees, merged into a tree at the end
  };
  Kind kind = Kind::kParallel;
  unsigned workers = 0;  // threads that fold; 0: one per processor
  bool sites = true;     // tell contexts apart by call site too
  RecursionOptions recursion = {};
  // kUptree only: contexts and counts of every n-th call of a thread.
  std::uint64_t event_every = 0;
  // Size at which a folder is merged. 0: of a tree 128 Ki a worker, at most 1 Mi, and all folders
  // together at most an eighth of `most_nodes` where that leaves 64 Ki for each; of an uptree 64 Ki.
  // Merging is serial: its share grows with the workers and shrinks with this size.
  std::uint32_t delta_nodes = 0;
  // Bound of the master, beyond which it evicts the coldest subtrees (Cct::evict_above). While
  // packets are folded and trees merged it may be exceeded by the size of a few packets and start
  // chains.
  std::uint32_t most_nodes = Cct::kMostNodes;
  // Makes folders in place of the kind's own; empty means none. With it, no packet is folded
  // straight into the master, and the master's nodes keep their numbers: contexts beyond the bound
  // are lost.
  std::function<std::unique_ptr<Folder>()> make_folder = nullptr;
};

// Returns the number of threads that fold beside a running program: all processors but one.
unsigned workers_beside_program() noexcept;
// Returns the number of nodes, each with its share of child tables, that fit into `bytes`; for
// EngineOptions::most_nodes.
std::uint32_t nodes_within(std::uint64_t bytes) noexcept;

struct EngineStats {
  unsigned workers = 0;
  std::uint64_t packets_by_workers = 0;
  std::uint64_t packets_by_producers = 0;
  std::uint64_t merges = 0;       // of a folder into the master
  std::uint64_t calls_lost = 0;   // handed over, but found no memory; exact after finish()
  std::uint64_t fold_cpu_ns = 0;  // processor time of draining and helping
};

class Engine : public shadowstack::PacketSink {
 public:
  // Makes an engine. The pool must outlive it; folded packets go back to the pool. Throws
  // std::bad_alloc.
  static std::unique_ptr<Engine> make(const EngineOptions& options, shadowstack::PacketPool& pool);

  // Folds and merges everything submitted, and ends the worker threads. REQUIRES: called once;
  // producers submit no more. The tree lives as long as the engine.
  virtual const ContextTree& finish() noexcept = 0;

  // Returns the tree of the packets submitted so far, while producers go on. Leaves out `threads`
  // and `packets`. Packets being folded by other threads may be missing if they take longer than a
  // moment. REQUIRES: finish() does not run. Cost: folds the queue, copies the master.
  virtual Result<RecordingSnapshot> snapshot() noexcept = 0;

  // Starts to measure `columns` besides calls, in snapshots too (MeasuredContexts). REQUIRES: no
  // packet was submitted. Throws std::bad_alloc.
  virtual MeasuredContexts& measure(std::span<const MeasureName> columns, ContextKey outside) = 0;
  // Returns the columns of the tree, which gets a node for every context with an amount, and gives back memory that the
  // tree does not need from then on. REQUIRES: finish() was called; called once. Throws std::bad_alloc.
  virtual std::vector<MeasuredColumn> lay_measured() = 0;

  virtual EngineStats stats() const noexcept = 0;
};

}  // namespace copse::cct
