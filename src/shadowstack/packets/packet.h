// A block of one thread's call records, in order, that can be folded without its neighbours: it
// carries the frames that were live at its first record.
//
// A record at depth d ends every frame at depth d and above, then is the frame at depth d. Its
// parent is the nearest known frame below d: of this packet, else of `start`, else ROOT.
#pragma once

#include <cstdint>
#include <span>

#include "base/call_record.h"
#include "base/ids.h"
#include "shadowstack/packets/frame_chain.h"

namespace copse::shadowstack {

struct Packet {
  // For who finds it when the process was killed (packet_run.h): whose its records are.
  enum class State : std::uint32_t {
    kEmpty,      // nobody's, or its thread's, which knows how many there are
    kPrepared,   // nobody's yet: the thread's that hands it over, once that says so
    kSubmitted,  // its own, until they are in a tree
  };

  CallRecord* slots = nullptr;  // slot 0 is never a record
  std::uint32_t first = 1;      // slot of the first record
  std::uint32_t count = 0;      // records
  std::uint32_t min_depth = 0;  // among the records: frames below it are still those of `start`
  ThreadIndex thread{};
  State state = State::kEmpty;
  std::uint64_t sequence = 0;    // of the thread's packets, from 0
  std::uint64_t first_call = 0;  // records of the thread before this packet
  FrameChain start;

  std::span<const CallRecord> records() const noexcept { return {slots + first, count}; }
};

}  // namespace copse::shadowstack
