// What the probes of one thread read and write, and the probe itself in C++.
//
//   offset size field
//        0    8 cursor   address of the next free record slot; 0: no packet yet
//        8    8 word     depth and call site of the next callee (call_record.h)
//       16    8 state    the recorder's side; probes leave it alone
//       24    8 nobodys  of trees in place: the address of nobody's node (src/cct/inplace/inline_region.h);
//                        probes leave it alone
//       32    8 events   where events of interest are kept by thread (src/encoders/events/event_thread.h)
//       40    8 allocations   where they are counted (src/encoders/ids/allocation_counts.h)
//       48    8 id_word       of probes that keep context ids beside packets
//                             (src/encoders/ids/id_layout.h); 0: ROOT's. Ids alone have `word`
//       56    8 until_id_word   entries that leave none before one does (base/id_word.h)
//       64    8 until_stack   id words before one that is compared with the stack
//       72    8 mounted   of a platform thread: the header of the virtual thread that runs on it, once
//                         that has one; 0: it runs as itself
//       80    8 samples   of this thread, that wait to be counted (src/shadowstack/sampling)
//       88    8 sampled   of a platform thread: where its samples wait, or 0; probes leave both alone
//       96    8 rethrows   not 0: what the thread throws next, while it has this word, was thrown
//                          before (rethrown_at())
//      104    8 packets   that the thread has had; who counts allocations reads it
//      112    8 self     of a virtual thread at which others look: a reference of the JVM's to it, or 0;
//                        probes leave it alone
//      120    8 allocating   of probes that count allocations beside packets: where they last found
//                        their frame's record in this packet, or 0 (CopseAllocations.java)
//
// A packet's memory is aligned to its own size and its slot 0 is never a record, so one test,
// `(cursor & (packet bytes - 1)) == 0`, finds both the thread without a packet and the full packet.
// JIT-compiled code uses these offsets through raw memory.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "base/call_record.h"

namespace copse::shadowstack {

struct ThreadState;

// Two cache lines: neighbouring lines are fetched in pairs, and every probe writes here.
struct alignas(128) ThreadHeader {
  std::uint64_t cursor = 0;
  std::uint64_t word = 0;
  ThreadState* state = nullptr;
  std::uint64_t nobodys = 0;
  std::uint64_t events = 0;
  std::uint64_t allocations = 0;
  std::uint64_t id_word = 0;
  std::uint64_t until_id_word = 0;
  std::uint64_t until_stack = 0;
  std::uint64_t mounted = 0;
  std::uint64_t samples = 0;
  std::uint64_t sampled = 0;
  std::uint64_t rethrows = 0;
  std::uint64_t packets = 0;
  std::uint64_t self = 0;
  std::uint64_t allocating = 0;
};

static_assert(offsetof(ThreadHeader, cursor) == 0);
static_assert(offsetof(ThreadHeader, word) == 8);
static_assert(offsetof(ThreadHeader, events) == 32);
static_assert(offsetof(ThreadHeader, allocations) == 40);
static_assert(offsetof(ThreadHeader, id_word) == 48);
static_assert(offsetof(ThreadHeader, until_id_word) == 56);
static_assert(offsetof(ThreadHeader, until_stack) == 64);
static_assert(offsetof(ThreadHeader, mounted) == 72);
static_assert(offsetof(ThreadHeader, rethrows) == 96);
static_assert(offsetof(ThreadHeader, packets) == 104);
static_assert(offsetof(ThreadHeader, allocating) == 120);
static_assert(sizeof(ThreadHeader) == 128);
static_assert(std::is_standard_layout_v<ThreadHeader>);

// What `rethrows` is for a word, which may be 0, and is a multiple of 4.
constexpr std::uint64_t rethrown_at(std::uint64_t word) noexcept { return word | 1; }

// Where a thread stands: its context word, and of one that fills packets how far it came.
struct ThreadPlace {
  std::uint64_t word = 0;
  std::uint64_t cursor = 0;
  std::uint64_t packets = 0;

  friend bool operator==(const ThreadPlace&, const ThreadPlace&) = default;
};

// Of a thread whose word may be elsewhere. Called by: anybody, signal handlers too; a thread that
// runs meanwhile may have come further by the one than by the other.
inline ThreadPlace place_of(const ThreadHeader& header, std::uint64_t word) noexcept {
  const auto read = [](const std::uint64_t& field) {
    return std::atomic_ref<const std::uint64_t>(field).load(std::memory_order_relaxed);
  };
  return {word, read(header.cursor), read(header.packets)};
}

// Appends a record unless the packet is full or missing (false: get a new packet and try again).
// Called by: the header's own thread. Cost: one test, two stores; no lock, no allocation.
inline bool try_append(ThreadHeader& header, CallRecord record,
                       std::uint64_t packet_bytes) noexcept {
  std::atomic_ref<std::uint64_t> cursor(header.cursor);
  const std::uint64_t slot = cursor.load(std::memory_order_relaxed);
  if ((slot & (packet_bytes - 1)) == 0) return false;
  *reinterpret_cast<CallRecord*>(slot) = record;
  // Release pairs with the acquire in Recorder::close(): whoever sees the cursor sees the record.
  cursor.store(slot + sizeof(CallRecord), std::memory_order_release);
  return true;
}

}  // namespace copse::shadowstack
