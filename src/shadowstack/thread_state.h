// What the recorder knows of the thread that owns a header. Recycled with the header.
#pragma once

#include <cstdint>
#include <mutex>

#include "base/ids.h"
#include "shadowstack/frame_chain.h"
#include "shadowstack/packet.h"
#include "shadowstack/thread_header.h"

namespace copse {

struct ThreadState {
  ThreadHeader* header = nullptr;  // constant

  std::mutex mutex;  // of all below
  bool live = false;
  bool closed = false;      // recording has ended for this thread
  bool chain_known = true;  // false: lost for lack of memory, until a packet reaches depth 0
  ThreadIndex index{};
  Packet* packet = nullptr;   // null: none yet, or records go to the scratch packet
  std::uint32_t flushed = 0;  // records of the packet that were handed over before it was full
  FrameChain chain;           // live at the packet's first record, or the first after these
  ContextKey first_key = 0;
  std::uint64_t calls = 0;  // handed over or lost
  std::uint64_t sequence = 0;
};

}  // namespace copse
