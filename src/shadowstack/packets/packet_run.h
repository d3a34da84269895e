// Where everything of a run with packets lies, for a reader that has nothing but its memory
// (src/recover): the first thing in that memory. What is written in more than one step is
// written so that every instant at which the process may be killed is a true one:
//
//   a thread    goes from one ThreadPosition to the next by one store (thread_state.h)
//   a packet    is its thread's, then its own, then in a tree (Packet::State)
//   a tree      notes which packets it is about to take, or which tree; how far it came, the sum of
//               its counts tells (cct/inplace/kept_tree.h)
#pragma once

#include <cstdint>
#include <type_traits>

#include "shadowstack/kept_thread_rows.h"

namespace copse::shadowstack {

struct PacketRun {
  static constexpr std::uint64_t kMagic = 0x3273'7465'6b63'6170;  // "packets2"

  std::uint64_t magic;
  std::uint64_t slots;    // of a packet
  std::uint64_t packets;  // addresses: of Packet, ThreadState and KeptTree
  std::uint64_t packet_count;
  std::uint64_t states;
  std::uint64_t state_count;
  std::uint64_t trees;  // the first one is the master
  std::uint64_t tree_count;
  KeptThreads threads;
  std::uint64_t lost;  // calls of threads that have ended, before they came to a tree
  std::uint64_t
      measures;  // address of what is measured besides calls (cct/inplace/kept_measures.h)
  std::uint64_t measure_count;
};
static_assert(std::is_trivially_copyable_v<PacketRun> && sizeof(PacketRun) <= 4096);

}  // namespace copse::shadowstack
