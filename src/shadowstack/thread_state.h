// What the recorder knows of the thread that owns a header. Recycled with the header.
#pragma once

#include <array>
#include <cstdint>
#include <mutex>
#include <utility>

#include "base/ids.h"
#include "shadowstack/in_this_order.h"
#include "shadowstack/packets/frame_chain.h"
#include "shadowstack/packets/packet.h"
#include "shadowstack/thread_header.h"

namespace copse::shadowstack {

// Yes or no, where it may be read from damaged memory: a bool there could be neither.
using KeptFlag = std::uint32_t;

// Frames that are live at a record.
struct KnownChain {
  FrameChain chain;
  KeptFlag known = 0;  // 0: lost for lack of memory
};

// How far a thread has come, between two packets.
struct ThreadPosition {
  Packet* packet = nullptr;   // null: none yet, or records go to the scratch packet
  std::uint32_t flushed = 0;  // records of the packet that were handed over before it was full
  KeptFlag closed = 0;        // recording has ended for this thread
  KeptFlag chain_known = 1;   // 0: lost for lack of memory, until a packet reaches depth 0
  FrameChain chain;           // live at the packet's first record, or the first after these
  KnownChain packet_start;    // at the packet's first record, where some were handed over
  ContextKey first_key = 0;
  std::uint64_t calls = 0;  // handed over or lost
  std::uint64_t lost = 0;   // of these
  // A packet of State::kPrepared whose records are not the thread's any more.
  Packet* handed_over = nullptr;
};

struct ThreadState {
  ThreadHeader* header = nullptr;  // constant

  std::mutex mutex;  // of all below
  KeptFlag live = 0;
  ThreadIndex index{};
  ThreadIndex row{};  // of the rows that are kept
  std::uint64_t sequence = 0;

  const ThreadPosition& position() const noexcept { return positions[current & 1]; }
  // For fields of which no other depends on.
  ThreadPosition& position() noexcept { return positions[current & 1]; }
  // The next one, to be changed and moved to.
  ThreadPosition next_position() const noexcept {
    ThreadPosition next = position();
    next.handed_over = nullptr;
    return next;
  }
  void move_to(ThreadPosition next) noexcept {
    positions[(current + 1) & 1] = std::move(next);
    in_this_order();
    ++current;
    in_this_order();
    positions[(current + 1) & 1].chain = FrameChain();
    positions[(current + 1) & 1].packet_start = {};
  }

  std::array<ThreadPosition, 2> positions;
  std::uint32_t current = 0;  // the one of the two that counts is its last bit
};

}  // namespace copse::shadowstack
