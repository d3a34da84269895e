// A block of one thread's call records, in order. It carries the frames that were live at its first
// record and can therefore be folded without its neighbours.
//
// A record at depth d ends every frame at depth d and above, then is the frame at depth d. Its
// parent is the nearest known frame below d: in this packet, else in `start`, else ROOT.
#pragma once

#include <cstdint>
#include <span>

#include "base/call_record.h"
#include "base/ids.h"
#include "shadowstack/frame_chain.h"

namespace copse::shadowstack {

struct Packet {
  // Owner of the records, for a reader of a killed process's memory (packet_run.h).
  enum class State : std::uint32_t {
    kEmpty,      // no owner, or its thread, which knows their number
    kPrepared,   // the packet, if the position of a thread hands it over; else still its thread
    kSubmitted,  // the packet, until they are in a tree
  };

  CallRecord* slots = nullptr;  // slot 0 is never a record
  std::uint32_t first = 1;      // slot of the first record
  std::uint32_t count = 0;      // records
  std::uint32_t min_depth = 0;  // smallest depth of the records; frames below it are of `start`
  ThreadIndex thread{};
  State state = State::kEmpty;
  std::uint64_t sequence = 0;    // number among the thread's packets, from 0
  std::uint64_t first_call = 0;  // records of the thread before this packet
  FrameChain start;

  std::span<const CallRecord> records() const noexcept { return {slots + first, count}; }
};

}  // namespace copse::shadowstack
