// The memory that the probes of one thread read and write, and the probe itself in C++.
//
//   offset size field
//        0    8 cursor   address of the next free record slot; 0: no packet yet
//        8    8 word     depth and call site of the next callee (call_record.h)
//       16    8 state    owned by the recorder; probes leave it alone
//       24    8 unowned  trees in place: address of the unowned node (src/cct/inplace/inline_region.h);
//                        probes leave it alone
//       32    8 events   events of interest by thread (src/encoders/events/event_thread.h)
//       40    8 allocations   allocations by thread (src/encoders/ids/allocation_counts.h)
//       48    8 id_word       for probes that keep context ids beside packets
//                             (src/encoders/ids/id_layout.h); 0: ROOT. Probes of ids alone use `word`
//       56    8 until_id_word   entries without an id word before the next one (base/id_word.h)
//       64    8 until_stack   id words before the next comparison with the stack
//       72    8 mounted   platform thread: header of the virtual thread that runs on it, once that has
//                         one; 0: it runs as itself
//       80    8 samples   samples of this thread that wait to be counted (src/shadowstack/sampling);
//                         probes leave it alone
//       88    8 sampled   platform thread: the object in which its samples wait, or 0; probes leave it
//                         alone
//       96    8 rethrows   not 0: the next exception, while the thread has this word, was thrown before
//                          (rethrown_at())
//      104    8 packets   number of packets that the thread has had; read to count allocations
//      112    8 self     virtual thread that other threads look at: the JVM's reference to it, or 0;
//                        probes leave it alone
//      120    8 allocating   for probes that count allocations beside packets: place in this packet at
//                            which they last found their frame's record, or 0
//                            (CopseAllocations.java)
//
// A packet's memory is aligned to its own size and its slot 0 is never a record. One test, `(cursor
// & (packet bytes - 1)) == 0`, therefore finds both the thread without a packet and the full
// packet. JIT-compiled code uses these offsets through raw memory.
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
  std::uint64_t unowned = 0;
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

// Returns the value of `rethrows` for a word, which may be 0 and is a multiple of 4.
constexpr std::uint64_t rethrown_at(std::uint64_t word) noexcept { return word | 1; }

// Place of a thread: its context word and, for a thread that fills packets, its progress in them.
struct ThreadPlace {
  std::uint64_t word = 0;
  std::uint64_t cursor = 0;
  std::uint64_t packets = 0;

  friend bool operator==(const ThreadPlace&, const ThreadPlace&) = default;
};

// Returns the place of a thread whose word may be stored elsewhere. While the thread runs, the
// fields may be of different instants. Async-signal-safe. Called by: any thread.
inline ThreadPlace place_of(const ThreadHeader& header, std::uint64_t word) noexcept {
  const auto read = [](const std::uint64_t& field) {
    return std::atomic_ref<const std::uint64_t>(field).load(std::memory_order_relaxed);
  };
  return {word, read(header.cursor), read(header.packets)};
}

// Appends a record. Returns false if the packet is full or missing: get a new packet and try again.
// Called by: the header's own thread. Cost: one test, two stores; no lock, no allocation.
inline bool try_append(ThreadHeader& header, CallRecord record,
                       std::uint64_t packet_bytes) noexcept {
  std::atomic_ref<std::uint64_t> cursor(header.cursor);
  const std::uint64_t slot = cursor.load(std::memory_order_relaxed);
  if ((slot & (packet_bytes - 1)) == 0) return false;
  *reinterpret_cast<CallRecord*>(slot) = record;
  // Release pairs with the acquire in Recorder::close(): a reader of the new cursor sees the
  // record.
  cursor.store(slot + sizeof(CallRecord), std::memory_order_release);
  return true;
}

}  // namespace copse::shadowstack
