// Addresses of everything in a run with packets, for a reader that has the run's memory alone
// (src/recover). It is the first object in that memory. Changes of more than one step are written
// so that the memory is true at every instant at which the process may be killed:
//
//   a thread    goes from one ThreadPosition to the next by one store (thread_state.h)
//   a packet    belongs to its thread, then to itself, then to a tree (Packet::State)
//   a tree      notes the packets or the tree that it is about to take; the sum of its counts tells
//               how much it has taken (cct/kept_tree.h)
#pragma once

#include <cstdint>
#include <type_traits>

#include "shadowstack/kept_thread_rows.h"

namespace copse::shadowstack {

struct PacketRun {
  static constexpr std::uint64_t kMagic = 0x3373'7465'6b63'6170;  // "packets3"

  std::uint64_t magic;
  std::uint64_t slots;    // per packet
  std::uint64_t packets;  // address of the Packet rows
  std::uint64_t packet_count;
  std::uint64_t states;  // address of the ThreadState rows
  std::uint64_t state_count;
  std::uint64_t trees;  // address of the KeptTree rows; the first one is the master
  std::uint64_t tree_count;
  KeptThreads threads;
  std::uint64_t lost;      // calls of ended threads, lost before they reached a tree
  std::uint64_t measures;  // address of the KeptMeasure rows (cct/kept_measures.h)
  std::uint64_t measure_count;
};
static_assert(std::is_trivially_copyable_v<PacketRun> && sizeof(PacketRun) <= 4096);

}  // namespace copse::shadowstack
