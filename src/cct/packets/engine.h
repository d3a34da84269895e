// The worker pool's front: takes packets from application threads and builds the run's context
// tree.
//
// Workers drain the queue. Whoever finds the one master tree free folds a packet straight into it;
// others fold into a folder of their own (a delta tree, or an uptree), which is merged into the
// master when it is full. A producer that finds the packet pool empty folds a queued packet in the
// same way. Memory is the master plus a constant per folder.
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
  std::uint64_t event_every =
      0;  // kUptree only: contexts and counts of every n-th call of a thread
  std::uint32_t delta_nodes = 1u << 16;  // a folder's size when it is merged
  // Of the master: beyond them the coldest subtrees are evicted (Cct::evict_above). While packets
  // are folded and trees merged there may be more, by the size of a few packets and start chains.
  std::uint32_t most_nodes = Cct::kMostNodes;
  // Who folds in the place of the kind's own folders. Then no packet is folded straight into the
  // master, and its nodes keep their numbers: contexts beyond the bound are lost.
  std::function<std::unique_ptr<Folder>()> make_folder = nullptr;
};

// Threads that fold beside a running program: all processors but one.
unsigned workers_beside_program() noexcept;
// For EngineOptions::most_nodes: nodes, each with its share of child tables, that fit.
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
  // The pool must outlive the engine; folded packets go back to it. Throws std::bad_alloc.
  static std::unique_ptr<Engine> make(const EngineOptions& options, shadowstack::PacketPool& pool);

  // Folds and merges everything that was submitted, and ends the worker threads. Called once, when
  // producers submit no more. The tree lives as long as the engine.
  virtual const ContextTree& finish() noexcept = 0;

  // The tree of what was submitted; producers go on meanwhile. Packets that other threads are just
  // folding may be missing, when they take longer than a moment. Without threads and packets. Not
  // while finish() runs. Cost: folds what is queued, copies the master.
  virtual Result<RecordingSnapshot> snapshot() noexcept = 0;

  // Before the first packet: what is measured besides calls, which snapshots have then, too. See
  // MeasuredContexts. Throws std::bad_alloc.
  virtual MeasuredContexts& measure(std::span<const MeasureName> columns, ContextKey outside) = 0;
  // After finish(), once: columns of its tree, which gets a node for every context that has any of
  // them. Throws std::bad_alloc.
  virtual std::vector<MeasuredColumn> lay_measured() = 0;

  virtual EngineStats stats() const noexcept = 0;
};

}  // namespace copse::cct
