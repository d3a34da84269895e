// Keys by which probes of trees and of packets count allocations (CopseAllocations.java): the place of the
// allocating frame, and the number of the type.
//
//   bits  63..19        18..0
//         frame / 8     type     of trees in place: the address of the frame's first slot
//
//   bits  63..59     58..43   42..19   18..0
//         packets    index    depth    type   of packets: the lowest bits of ThreadHeader::packets,
//                                             the index of the record of the frame's entry, 0 where
//                                             it is from before the packet, and its depth
#pragma once

#include <cstdint>

#include "agent/jvm/measures/allocated_types.h"
#include "base/call_record.h"
#include "cct/inplace/inline_layout.h"
#include "shadowstack/thread_header.h"

namespace copse::jvm {

inline constexpr int kAllocationIndexShift = 43;
inline constexpr int kAllocationPacketsShift = 59;

constexpr std::int32_t type_in_key(std::uint64_t key) noexcept {
  return static_cast<std::int32_t>(key & ((std::uint64_t{1} << kAllocatedTypeBits) - 1));
}

constexpr shadowstack::ThreadPlace place_in_tree(std::uint64_t key) noexcept {
  constexpr std::uint64_t kInUnit = cct::kInlineSlots % cct::kInlineUnit;  // of every frame
  return {.word = (key >> kAllocatedTypeBits) * cct::kInlineUnit + kInUnit};
}

// Returns the place of a key in a packet of the header's thread. The thread may append meanwhile, but must not
// change its packet.
inline shadowstack::ThreadPlace place_in_packet(const shadowstack::ThreadHeader& header,
                                                std::uint64_t key,
                                                std::uint64_t packet_bytes) noexcept {
  constexpr std::uint64_t kIndexes = 0xFFFF;
  constexpr std::uint64_t kSomePackets = (std::uint64_t{1} << (64 - kAllocationPacketsShift)) - 1;
  const shadowstack::ThreadPlace now = shadowstack::place_of(header, 0);
  const auto depth = static_cast<std::uint32_t>(key >> kAllocatedTypeBits) & kMaxDepth;
  const std::uint64_t index = key >> kAllocationIndexShift & kIndexes;
  const std::uint64_t packet = (now.cursor - 1) & ~(packet_bytes - 1);
  return {
      .word = call_record(depth + 1, kNoSite, kNoMethod),
      .cursor = now.cursor == 0 ? 0 : packet + (1 + index) * sizeof(CallRecord),
      .packets = now.packets - ((now.packets - (key >> kAllocationPacketsShift)) & kSomePackets)};
}

}  // namespace copse::jvm
