// State of the thread that owns a header, for the recorder. Recycled with the header.
#pragma once

#include <array>
#include <cstdint>
#include <mutex>
#include <utility>

#include "base/ids.h"
#include "shadowstack/frame_chain.h"
#include "shadowstack/in_this_order.h"
#include "shadowstack/packet.h"
#include "shadowstack/thread_header.h"

namespace copse::shadowstack {

// Boolean that may be read from damaged memory, where a bool could have an invalid value. 0 means
// false.
using KeptFlag = std::uint32_t;

// Frames that are live at a record.
struct KnownChain {
  FrameChain chain;
  KeptFlag known = 0;  // 0: lost for lack of memory
};

// Progress of a thread, between two packets.
struct ThreadPosition {
  Packet* packet = nullptr;   // nullptr: none yet, or records go to the scratch packet
  std::uint32_t flushed = 0;  // records handed over before the packet was full
  KeptFlag closed = 0;        // recording has ended for this thread
  KeptFlag waits = 0;         // recording has not begun yet for this thread
  KeptFlag chain_known = 1;   // 0: lost for lack of memory, until a packet reaches depth 0
  FrameChain chain;           // live at the packet's first record that was not handed over
  KnownChain packet_start;    // live at the packet's first record, if `flushed` is not 0
  ContextKey first_key = 0;
  std::uint64_t calls = 0;  // handed over or lost
  std::uint64_t lost = 0;   // part of `calls`
  // A packet of State::kPrepared whose records no longer belong to the thread; nullptr means none.
  Packet* handed_over = nullptr;
};

struct ThreadState {
  ThreadHeader* header = nullptr;  // constant

  std::mutex mutex;  // guards the members below
  KeptFlag live = 0;
  ThreadIndex index{};
  ThreadIndex row{};  // in KeptThreadRows
  std::uint64_t sequence = 0;

  const ThreadPosition& position() const noexcept { return positions[current & 1]; }
  // Current position, to change fields on which no other field depends.
  ThreadPosition& position() noexcept { return positions[current & 1]; }
  // Copy of the current position, to be changed and passed to move_to().
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
  std::uint32_t current = 0;  // its last bit is the index of the current position
};

}  // namespace copse::shadowstack
