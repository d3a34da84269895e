// Addresses of everything in a run with trees in place, for a reader that has the run's memory
// alone (src/recover). It is the first object in that memory, and updates keep it true at every
// instant at which the process may be killed.
//
// A thread's counts are moved into the master node by node. For an instant a moved count is in both
// places, so the move is noted first:
//
//   note the node, the sums it goes to and their values before; `moving` = 1
//   add; clear the node's count; `moving` = 0
//
// A reader that finds `moving` set takes the sums' old values if the node still has its count.
#pragma once

#include <cstdint>
#include <type_traits>

#include "cct/kept_measures.h"
#include "cct/kept_tree.h"
#include "cct/merged_methods.h"
#include "shadowstack/in_this_order.h"
#include "shadowstack/kept_thread_rows.h"

namespace copse::cct {

// Calls of a node that are no part of the recording, because they were made before it began.
struct InlineLeftOut {
  std::uint64_t calls;
  std::uint64_t node;  // number
};

struct InlineRun {
  static constexpr std::uint64_t kMagic = 0x3665'6572'7469'6c69;  // "ilitree6"

  std::uint64_t magic;
  std::uint64_t region;   // address from which node numbers count
  std::uint64_t chunks;   // address of the first chunk (inline_layout.h)
  std::uint64_t unowned;  // address of the unowned node (inline_region.h)
  shadowstack::KeptThreads threads;
  KeptTree master;     // takes single counts (Move), no packets or trees
  std::uint64_t lost;  // calls moved that are in no node of the master
  KeptMergedMethods merged;
  KeptMeasures measures;
  std::uint64_t closed;  // 1: recording has ended; readers skip threads' trees
  std::uint64_t waits;   // 1: nothing is part of the recording yet
  // Address and number of the InlineLeftOut entries, by node. An entry of more calls than its node
  // has is void.
  std::uint64_t left_out;
  std::uint64_t left_out_count;
  std::uint64_t slices;  // number of slices that have begun, which are not in this memory

  struct Move {
    std::uint64_t moving;
    std::uint64_t node;           // address of the thread's node
    std::uint64_t master_node;    // Cct::kOverflowNode: `lost`
    std::uint64_t master_before;  // its calls, or `lost`
    std::uint64_t calls_before;   // of the master
    std::uint64_t thread;         // row
    std::uint64_t thread_before;  // its calls
  } move;
};
static_assert(std::is_trivially_copyable_v<InlineRun> && sizeof(InlineRun) <= 4096);

}  // namespace copse::cct
