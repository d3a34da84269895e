// The 64-bit words that probes write, and the key that tells siblings of a context tree apart.
//
//   bits   63..40   39..24   23..0
//   word   depth    site     0        kept per thread: position of the next callee
//   record depth    site     method   appended once per call: word | method
//   key             site     method   the record without its depth
//
// `depth` is the number of live instrumented frames above the callee, 0 for a thread's first frame.
// Records in order of entry determine the call tree (pre-order) by their depths, so returns and
// exceptions need no record. Every method id is at least 1. A record is therefore never 0 and
// unwritten memory is recognisable; a key without a method is free for the node of evicted
// contexts, which no probe writes.
#pragma once

#include <cstdint>

#include "base/ids.h"

namespace copse {

using CallRecord = std::uint64_t;
using ContextKey = std::uint64_t;

inline constexpr int kDepthShift = 40;
inline constexpr int kSiteShift = 24;
inline constexpr std::uint64_t kMethodMask = (std::uint64_t{1} << kSiteShift) - 1;
inline constexpr std::uint64_t kKeyMask = (std::uint64_t{1} << kDepthShift) - 1;
inline constexpr std::uint64_t kDepthOne = std::uint64_t{1} << kDepthShift;
inline constexpr std::uint32_t kMaxDepth = (1u << 24) - 1;

constexpr ContextKey context_key(SiteOrdinal site, MethodId method) noexcept {
  return (std::uint64_t{raw(site)} << kSiteShift) | raw(method);
}
constexpr CallRecord call_record(std::uint32_t depth, SiteOrdinal site, MethodId method) noexcept {
  return (std::uint64_t{depth} << kDepthShift) | context_key(site, method);
}
// Key of the node, at most one per parent, that holds all calls of the contexts evicted into it.
inline constexpr ContextKey kEvictedKey = context_key(SiteOrdinal{0xFFFF}, kNoMethod);

constexpr std::uint32_t depth_of(CallRecord record) noexcept {
  return static_cast<std::uint32_t>(record >> kDepthShift);
}
constexpr ContextKey key_of(CallRecord record) noexcept { return record & kKeyMask; }
constexpr MethodId method_of(CallRecord record_or_key) noexcept {
  return MethodId{static_cast<std::uint32_t>(record_or_key & kMethodMask)};
}
constexpr SiteOrdinal site_of(CallRecord record_or_key) noexcept {
  return SiteOrdinal{static_cast<std::uint16_t>(record_or_key >> kSiteShift)};
}

}  // namespace copse
